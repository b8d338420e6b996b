// Plain texts: code that only compares or writes them need not load the schemas.

export const IN_TOTO_PAYLOAD = "application/vnd.in-toto+json";
export const HEAD_PAYLOAD = "application/vnd.drydock.ledger-head+json";
export const RECORD_PAYLOAD = "application/vnd.drydock.record+json";
/** Of a receipt: envelopes, one a line. */
export const RECEIPT_MEDIA = "application/vnd.in-toto.bundle";
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1";
export const VERIFICATION_RESULT = "https://in-toto.io/attestation/svr/v0.1";
