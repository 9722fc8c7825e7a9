"""
What schemathesis calls a failure and is none, with why. This is the one place for exceptions, and each is no wider than its
reason. schemathesis.toml names this module, which also loads signing.py.
"""

import re

import schemathesis
import signing  # noqa: F401

RULES_NO_SCHEMA_TELLS = re.compile(
    "|".join(
        [
            # What is named is not there, or not this merchant's. By the service's document it is a 400.
            r"^(Deposit|Disbursement|Crypto|Payment method) not found$",
            r"Recipient not found$",
            r"^the quote ",
            r"^Quote (not found|has expired|was already used)$",
            # Currencies, methods and pairs are lists that the service answers, and may grow.
            r"not (a )?supported( (fiat|crypto) currency)?$",
            r"^this pair cannot be converted$",
            r"^pair must be <token>/<fiat>",
            r"is no disbursement payment method",
            r"receiverWalletAddress is not an address of the \w+ network$",
            r"^no payment method is enabled for inputCurrency$",
            # Limits and decimals are of a method or a currency.
            r"has more than \d+ decimals$",
            r"must be between",
            r"outside the limits of every enabled payment method$",
            r"^the amount is too small",
            r"^inputAmount leaves ",
            # Fields that depend on each other. A query has no schema for that; in a body tools cannot generate it.
            r"exactly one of .* is required$",
            r"^balanceType must be ",
            r"is the member for outputCurrency$",
            # What stands in the way: money, an earlier reference, a status.
            r"^insufficient (input )?balance$",
            r"^reference \S+ (was used before|is given more than once)$",
            r"cannot be cancelled$",
            r"^Disbursement is not completed$",
            r"^status must be one of ",
            # A pattern is wider than what a URL parser takes: hosts that are no punycode, for one.
            r"^returnUrl: must be an https address",
            # A time is ten years at most from now, whenever that is; a fault strikes some endpoints only.
            r"^more than ten years from the real time$",
            r"^faults\[\d+\]: ",
        ]
    )
)


def says(response):
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def is_unknown_cursor(response):
    """Only the ledger knows which cursors it gave out. Links bring real ones."""
    errors = says(response).get("errors", [])
    return len(errors) == 1 and errors[0]["where"] in ("query.cursor", "body.cursor")


def is_out_of_time(response):
    """A batch starts in the future, at most a year ahead, on a day that exists."""
    errors = says(response).get("errors", [])
    return [one["where"] for one in errors] == ["body.startAt"]


def is_of_the_page(case, response):
    """Which methods a checkout offers is told on its page (400); it ends (410); a form has at most 1 KiB (413)."""
    return case.operation.path.startswith("/checkout/{checkoutId}") and response.status_code in (400, 410, 413)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False for a failure that is explained."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData" and response.status_code in (400, 410, 413):
        message = says(response).get("message")
        is_rule = isinstance(message, str) and RULES_NO_SCHEMA_TELLS.search(message) is not None
        return not (is_rule or is_unknown_cursor(response) or is_out_of_time(response) or is_of_the_page(case, response))
    # A key is the caller's own: one that came before with another request is a conflict, and no schema tells which came.
    if kind == "RejectedPositiveData" and response.status_code == 422:
        return not says(response).get("type", "").endswith(":idempotency_key_reused")
    # A form that is too large is refused before it is read.
    if kind == "AcceptedNegativeData" and response.status_code == 413:
        return not case.operation.path.startswith("/checkout/{checkoutId}/")
    # Once a method was picked, or it is too late for one, the form is not read: 303 leads back to the page, which tells.
    if kind == "AcceptedNegativeData" and response.status_code == 303:
        return not case.operation.path.startswith("/checkout/{checkoutId}/")
    # API Gateway knows no 405: it answers 403 to a method that an address does not have.
    if kind == "UnsupportedMethodResponse" and response.status_code == 403:
        return says(response) != {"message": "Missing Authentication Token"}
    return True
