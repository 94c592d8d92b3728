"""The arena's work over gRPC, for workers that hold no address of its database."""
