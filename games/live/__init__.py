"""After a commit: delivery to subscribers in this process, and to other processes through Redis."""
