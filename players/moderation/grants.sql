-- The role of the service adds to the record of staff actions and reads it.
REVOKE UPDATE, DELETE ON players_staffaction FROM qwixx_service;
