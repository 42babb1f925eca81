"""News to people: e-mail through a mail server, or into a folder where there is none."""
