-- The form in which names are compared by the search of staff: without accents, case and alphabet. It depends on no locale
-- and no extension, so that it is the same on every server and an index may use it.
CREATE OR REPLACE FUNCTION players_searchable(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT lower(
        translate(
            regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g'),
            'łŁøØđĐıßæÆœŒðÞ'
            'абвгдежзиклмнопрстуфхцчшщыэюяєіґ'
            'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯЄІҐ'
            'ъьЪЬ',
            'lLoOdDisaAoOdT'
            'abvgdezziklmnoprstufhccssyeuaeig'
            'ABVGDEZZIKLMNOPRSTUFHCCSSYEUAEIG'
        ) COLLATE "C"
    )
$$;
