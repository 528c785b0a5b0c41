"""Real networks in namespaces of our own: needs root and iproute2, and leaves nothing behind."""
