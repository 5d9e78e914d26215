"""What a program must bear before it plays: each case puts real messages to it and says what came back.

`cases.py`: all of them, in order; `running.py` puts them to a program. A program that is called is examined over its
address (`line.py`), one that calls us through its mailbox, with those cases that apply.
"""

from bots_api.conformance.cases import CASES, case_of
from bots_api.conformance.finding import Case, CaseResult, Finding, Outcome
from bots_api.conformance.program import Examinee
from bots_api.conformance.running import Verdict, examine

__all__ = ["CASES", "Case", "CaseResult", "Examinee", "Finding", "Outcome", "Verdict", "case_of", "examine"]
