"""The people of Fernhill Foods, their groups and their projects."""

from __future__ import annotations

from dataclasses import dataclass

COMPANY = "Fernhill Foods"


@dataclass(frozen=True)
class Person:
    name: str
    tenant_role: str = "none"
    security_roles: tuple[str, ...] = ()
    time_zone: str = "Europe/London"

    @property
    def email(self) -> str:
        return f"{self.name.split()[0].lower()}@fernhill.example"


OLIVIA = Person("Olivia Hart", "owner")
OMAR = Person("Omar Haddad", "owner", time_zone="Asia/Dubai")
ADA = Person("Ada Novak", "admin", time_zone="Europe/Prague")
BRUNO = Person("Bruno Silva", "admin", ("data admin",), "America/Sao_Paulo")
EDITH = Person("Edith Larsen", "editor", ("data space creator",), "Europe/Oslo")
EMIL = Person("Emil Brandt", "editor", time_zone="Europe/Berlin")
ESTHER = Person("Esther Mwangi", "editor", time_zone="Africa/Nairobi")
VERA = Person("Vera Rossi", "viewer", time_zone="Europe/Rome")
VIKRAM = Person("Vikram Rao", "viewer", time_zone="Asia/Kolkata")
TESSA = Person("Tessa Green")
THEO = Person("Theo Martin", time_zone="Europe/Paris")
TOMAS = Person("Tomas Kral", time_zone="Europe/Prague")
PRIYA = Person("Priya Shah", security_roles=("data space creator",), time_zone="Asia/Kolkata")
BEN = Person("Ben Walsh")
BELLA = Person("Bella Moreau", time_zone="Europe/Paris")
BORIS = Person("Boris Petrov", time_zone="Europe/Sofia")
CLARA = Person("Clara Jensen", time_zone="Europe/Copenhagen")
CARLO = Person("Carlo Conti", time_zone="Europe/Rome")
NINA = Person("Nina Okafor", time_zone="Africa/Lagos")
SVEN = Person("Sven Olsen", time_zone="Europe/Oslo")
RITA = Person("Rita Lopez", "viewer", time_zone="Europe/Madrid")

EVERYBODY = (
    *(OLIVIA, OMAR, ADA, BRUNO, EDITH, EMIL, ESTHER, VERA, VIKRAM, TESSA, THEO, TOMAS, PRIYA),
    *(BEN, BELLA, BORIS, CLARA, CARLO, NINA, SVEN, RITA),
)

GROUPS = {
    "Data engineers": ("They build what others read.", (EMIL, THEO, TOMAS, PRIYA)),
    "Sales analysts": ("They read what the shops sold.", (BEN, BELLA, BORIS)),
    "Finance": ("They close the books.", (CLARA, CARLO, VERA)),
}

SALES, SUPPLY, CUSTOMERS = "Sales insight", "Supply chain", "Customer 360"
PROJECTS = {
    SALES: "What the shops sold, by day, shop and product.",
    SUPPLY: "Orders, stock and deliveries, and where they will run short.",
    CUSTOMERS: "One record a customer, from five systems that disagree.",
}

# Five people who see different things, and why.
GUIDES = {
    OLIVIA: "owner: sees everything, and is the only kind of member who changes the plan",
    BRUNO: "tenant admin and data admin: people, groups and every project, but not the plan",
    TESSA: "Technical User of Sales insight and Admin of Supply chain; no role in the tenant",
    BEN: "Business User of Sales insight through the group Sales analysts",
    NINA: "in the tenant, in no project: sees that there is nothing for her yet",
}
