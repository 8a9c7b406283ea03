// The strengths of bots, weakest first.

export const LEVELS = ["easy", "medium", "hard", "expert"];
