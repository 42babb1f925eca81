"""The rows of the areas for the test that calls every route as every kind of member; see tests/api/test_every_route.py."""
