/** Every key that the system writes, by functions/files/README.md. No part comes from a file, its name or a request. */
export const writtenKey =
  /^(?:archives\/b-[0-9a-z]{26}\/[0-9a-z]{26}\.zip|batches\/b-[0-9a-z]{26}\/(plan-[0-9a-z]{26}\/(chunks\/\d{7}\.json|manifest\.json|methods\.json|errors\.csv|to-correct\.(?:csv|xlsx)|repeated-debts\.csv|instructions\.jsonl|pain-002\.xml)|submit\/[0-9a-z]{26}\.json|proofs\/\d{7}-[0-9a-f]{64}\.pdf|reports\/[0-9a-z]{26}\/(results\.csv|retry\.(?:csv|xlsx)|evidence\.json|pain-002\.xml))|map-results\/[\w./-]+)$/;
