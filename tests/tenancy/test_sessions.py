"""x"""
from bailiwick.database.engine import Database
from tests.people import SignInAs, make_member, make_project, make_group
def test_x(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia")
        g = make_group(session, "G", mia)
        make_project(session, "P", mia, {mia: "Admin", g: "Admin"})
    assert sign_in_as(mia, token={"read_only": True}).get("/api/v1/x").status_code == 404
