"""
Failures that schemathesis reports wrongly, and why. All exceptions are here, and each is as narrow as its reason.
schemathesis.toml names this module, which also loads kept_settings.py and signing.py.
"""

import json
import re

import kept_settings  # noqa: F401
import schemathesis
import signing  # noqa: F401

RULES_BEYOND_SCHEMAS = re.compile(
    "|".join(
        [
            # The named record does not exist, or belongs to another merchant. The service's document says 400.
            r"^(Deposit|Disbursement|Crypto|Payment method) not found$",
            r"Recipient not found$",
            r"^the quote ",
            r"^Quote (not found|has expired|was already used)$",
            # Currencies, methods and pairs are lists that the service returns, and may grow.
            r"not (a )?supported( (fiat|crypto) currency)?$",
            r"^this pair cannot be converted$",
            r"^pair must be <token>/<fiat>",
            r"is no disbursement payment method",
            r"receiverWalletAddress is not an address of the \w+ network$",
            r"^no payment method is enabled for inputCurrency$",
            # Limits and decimals depend on the method or the currency.
            r"has more than \d+ decimals$",
            r"must be between",
            r"outside the limits of every enabled payment method$",
            r"^the amount is too small",
            r"^inputAmount leaves ",
            # Fields depend on each other. No schema expresses that for a query, and tools cannot generate it for a body.
            r"exactly one of .* is required$",
            r"^balanceType must be ",
            r"^use outputAmount\.\w+ for this outputCurrency$",
            # The balance, an earlier reference or a status prevents it.
            r"^insufficient (input )?balance$",
            r"^reference \S+ (was used before|is given more than once)$",
            r"cannot be canceled$",
            r"^Disbursement is not completed$",
            r"^status must be one of ",
            # The pattern is wider than a URL parser: it allows hosts that are not valid punycode, for example.
            r"^returnUrl: must be an https address",
            # A time is at most ten years from now. A fault affects only some endpoints.
            r"^more than ten years from the real time$",
            r"^faults\[\d+\]: ",
        ]
    )
)


def body_of(response):
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def is_unknown_cursor(response):
    """Only the ledger knows which cursors it issued. Links provide real ones."""
    errors = body_of(response).get("errors", [])
    return len(errors) == 1 and errors[0]["where"] in ("query.cursor", "body.cursor")


def is_out_of_time(response):
    """A batch starts in the future, at most a year ahead, on a day that exists."""
    errors = body_of(response).get("errors", [])
    return [one["where"] for one in errors] == ["body.startAt"]


# Joiners and variation selectors are visible after some characters only, such as emoji. A pattern that every tool reads allows them.
PLACED = re.compile("[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def is_misplaced(case, response):
    """The body has a joiner or a variation selector in a place where it is invisible."""
    messages = {one["message"] for one in body_of(response).get("errors", [])}
    return messages == {"one line without invisible characters"} and (
        PLACED.search(json.dumps(case.body, ensure_ascii=False, default=str)) is not None
    )


def has_null_field(value):
    """Whether an object in the value has a field that is null."""
    if isinstance(value, dict):
        return any(one is None or has_null_field(one) for one in value.values())
    return isinstance(value, list) and any(has_null_field(one) for one in value)


def is_of_the_page(case, response):
    """Only the page lists a checkout's methods (400). A checkout expires (410). A form has at most 1 KiB (413)."""
    return case.operation.path.startswith("/checkout/{checkoutId}") and response.status_code in (400, 410, 413)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False for a failure that is explained."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData" and response.status_code in (400, 410, 413):
        message = body_of(response).get("message")
        is_rule = isinstance(message, str) and RULES_BEYOND_SCHEMAS.search(message) is not None
        return not (
            is_rule
            or is_unknown_cursor(response)
            or is_out_of_time(response)
            or is_misplaced(case, response)
            or is_of_the_page(case, response)
        )
    # A caller's key that came before with another request is a conflict. No schema knows which keys came before.
    if kind == "RejectedPositiveData" and response.status_code == 422:
        return not body_of(response).get("type", "").endswith(":idempotency_key_reused")
    # The payment service ignores fields that are null. A unit test checks that the rest of such a body matches its schema.
    if kind == "AcceptedNegativeData" and has_null_field(case.body):
        return case.operation.schema.raw_schema["info"]["title"] != "Payment service"
    # A form that is too large is refused unread.
    if kind == "AcceptedNegativeData" and response.status_code == 413:
        return not case.operation.path.startswith("/checkout/{checkoutId}/")
    # After a method was picked, or the checkout expired, the form is not read. 303 leads back to the page, which explains it.
    if kind == "AcceptedNegativeData" and response.status_code == 303:
        return not case.operation.path.startswith("/checkout/{checkoutId}/")
    # API Gateway has no 405. It answers 403 for a method that the address does not have.
    if kind == "UnsupportedMethodResponse" and response.status_code == 403:
        return body_of(response) != {"message": "Missing Authentication Token"}
    return True
