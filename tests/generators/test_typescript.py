"""Types for TypeScript: generated, compiled with `--strict`, and as narrow as a client needs them."""

import json
from pathlib import Path

import pytest

from clients.build import MISSING, TYPESCRIPT, install_packages, node_folder
from tests.generators import tools

OPTIONS = {
    "strict": True,
    "noEmit": True,
    "target": "es2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "types": [],
    "lib": ["es2022", "dom", "dom.iterable"],
}
# What must compile, and, after @ts-expect-error, what must not.
CLIENT = """
import type { components, operations } from "./types.ts";

type Schemas = components["schemas"];

export const mark: Schemas["Action"] = { type: "mark", row: "red", number: 5, roll: 7, phase: "white" };
// @ts-expect-error a mark has a number
export const noNumber: Schemas["Action"] = { type: "mark", row: "red" };
// @ts-expect-error there is no such action
export const unknown: Schemas["Action"] = { type: "sing" };

export function seen(event: Schemas["Event"]): string {
  switch (event.type) {
    case "dice_rolled":
      return Object.values(event.data.dice).flat().map((face: number) => face + 1).join();
    case "answer_sealed":
      return event.data.action?.type ?? "sealed";
    case "game_ended":
      return event.data.ranking.map((place) => place.points).join();
    default:
      return event.hash;
  }
}

export function shown(game: Schemas["Game"]): number[] {
  const dice: number[] = Object.values(game.turn?.dice ?? {}).flat();
  return game.sheets.flatMap((sheet) =>
    sheet.ruleset === "qwixx" ? Object.values(sheet.rows).flat() : Object.values(sheet.rows).flatMap(Object.values),
  ).concat(dice);
}

export const least: Schemas["CreateGame"] = { ruleset: "qwixx" };
export const locale: NonNullable<Schemas["Me"]["locale"]> = "de";
export type Played = operations["playAction"]["responses"][200]["content"]["application/json"]["game"]["options"];
"""


@pytest.mark.timeout(300)
def test_openapi_typescript_gives_types_that_compile(document: Path, tmp_path: Path) -> None:
    if node_folder() is None:
        pytest.skip(MISSING)
    install_packages()
    programs = TYPESCRIPT / "node_modules/.bin"
    tools.run(programs / "openapi-typescript", document, "--output", tmp_path / "types.ts", cwd=tmp_path)
    compile_with(programs / "tsc", tmp_path)


@pytest.mark.timeout(300)
def test_hey_api_gives_a_client_that_compiles(document: Path, tmp_path: Path, node: None) -> None:
    tools.run(tools.PROGRAMS / "openapi-ts", "--input", document, "--output", tmp_path / "client", cwd=tools.FOLDER)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": {**OPTIONS, "module": "esnext", "moduleResolution": "bundler"}})
    )
    tools.run(tools.PROGRAMS / "tsc", "--project", tmp_path, cwd=tmp_path)
    types = (tmp_path / "client" / "types.gen.ts").read_text()
    assert "export type MarkAction = {" in types
    assert "dice: {\n        [key: string]: Array<number>;" in types


def compile_with(tsc: Path, folder: Path) -> None:
    (folder / "client.ts").write_text(CLIENT)
    (folder / "package.json").write_text('{"type": "module"}')
    options = {**OPTIONS, "allowImportingTsExtensions": True}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    tools.run(tsc, "--project", folder, cwd=folder)
