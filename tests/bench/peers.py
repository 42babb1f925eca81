"""The same data mart table for Cedar and for Casbin, each prepared as far as it lets itself be prepared."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import casbin
import cedarpy
from casbin.model import Model

from bailiwick.access.world.records import DataMart, Id

CEDAR = Path(__file__).parent / "data_mart.cedar"

CASBIN = """
[request_definition]
r = sub, obj, act
[policy_definition]
p = rule
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = eval(p.rule)
"""
NO_OWNER = "!(r.sub.id in r.obj.technical_owners || r.sub.id in r.obj.business_owners)"
SEE_USE = "r.act in ('See', 'Use')"
CASBIN_ROWS = (
    "r.sub.role == 'Admin'",
    "r.sub.role == 'Technical User' && r.sub.id in r.obj.technical_owners",
    f"r.sub.role == 'Business User' && r.sub.id in r.obj.technical_owners && {SEE_USE}",
    f"r.sub.role != 'none' && r.sub.id in r.obj.business_owners && {SEE_USE}",
    f"r.sub.role == 'Technical User' && r.obj.available_for_reporting && {SEE_USE} && {NO_OWNER}",
    "r.sub.role == 'Technical User' && r.obj.available_for_maintenance && "
    f"r.act in ('See', 'Use', 'Edit', 'Delete', 'Manage Triggers') && {NO_OWNER}",
    f"r.sub.role == 'Business User' && r.obj.available_for_reporting && {SEE_USE} && {NO_OWNER}",
)


class Cedar:
    """Cedar with policies and entities parsed once."""

    def __init__(self, role: dict[Id, str], data_marts: Iterable[DataMart]) -> None:
        members = [{"uid": _uid("Member", id_), "attrs": {"role": held}, "parents": []} for id_, held in role.items()]
        marts = [
            {
                "uid": _uid("DataMart", mart.id),
                "attrs": {
                    "technical_owners": [{"__entity": _uid("Member", owner)} for owner in mart.technical_owners],
                    "business_owners": [{"__entity": _uid("Member", owner)} for owner in mart.business_owners],
                    "available_for_reporting": mart.available_for_reporting,
                    "available_for_maintenance": mart.available_for_maintenance,
                },
                "parents": [],
            }
            for mart in data_marts
        ]
        self.policies = cedarpy.PolicySet.from_str(CEDAR.read_text(encoding="utf-8"))
        self.entities = cedarpy.Entities.from_json_str(json.dumps(members + marts))

    @staticmethod
    def request(member: Id, mart: Id, action: str) -> dict[str, Any]:
        """Ids by type and id: the form that cedarpy reads fastest."""
        return {
            "principal": _uid("Member", member),
            "action": _uid("Action", action),
            "resource": _uid("DataMart", mart),
        }

    def check(self, request: dict[str, Any]) -> Any:
        return cedarpy.is_authorized(request, self.policies, self.entities)

    def check_all(self, requests: list[dict[str, Any]]) -> list[Any]:
        return list(cedarpy.is_authorized_batch(requests, self.policies, self.entities))


def _uid(kind: str, id_: Id) -> dict[str, str]:
    return {"type": kind, "id": id_}


@dataclass(frozen=True)
class Subject:
    id: Id
    role: str


class Casbin:
    """Casbin with a policy for each row of the table."""

    def __init__(self) -> None:
        model = Model()
        model.load_model_from_text(CASBIN)
        self.enforcer = casbin.Enforcer(model)
        for row in CASBIN_ROWS:
            self.enforcer.add_policy(row)

    def check(self, subject: Subject, mart: DataMart, action: str) -> bool:
        allowed, _row = self.enforcer.enforce_ex(subject, mart, action)
        return bool(allowed)
