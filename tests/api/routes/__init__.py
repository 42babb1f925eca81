"""The areas' rows for the test that calls every route as every kind of member: tests/api/test_every_route.py."""
