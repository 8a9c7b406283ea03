"""After a commit: fan-out to subscribers in this process, and to other processes through Redis."""
