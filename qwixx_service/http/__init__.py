"""HTTP for every adapter: request ids, limits, CORS, problem documents, the table of error codes."""
