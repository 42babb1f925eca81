"""The command line door: everything the API can do, for people and for programs."""
