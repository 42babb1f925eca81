"""The statement gate: what members write in SQL passes here before Spark runs it (docs/develop/gate.md)."""

from bailiwick.spark.gate.admission import Admitted, Explain, Resolve, Select, Statement, admit, read
from bailiwick.spark.gate.questions import Question
from bailiwick.spark.gate.refusal import Refusal

__all__ = ["Admitted", "Explain", "Question", "Refusal", "Resolve", "Select", "Statement", "admit", "read"]
