// @ts-check
/** What failed. The limit of model calls is no failure: it is an end that was asked for. */

/** The error code of a run that has made as many model calls as it may, and of its last event. */
export const CALLS_LIMIT = "LLM_CALLS_LIMIT_EXCEEDED";

/**
 * Whether an entry tells an error, the limit included.
 * @param {{ error_code?: string | null; error_message?: string | null }} body
 */
export function hasError({ error_code: code, error_message: message }) {
  return Boolean(code || message);
}

/**
 * Whether an entry tells a failure.
 * @param {{ error_code?: string | null; error_message?: string | null }} body
 */
export function isFailure(body) {
  return hasError(body) && body.error_code !== CALLS_LIMIT;
}
