// @ts-check
/** What a provider's own tools left in an event: the sources of an answer, and the code that was run. */

/** @import { EventBody, Part } from "../log/entries.d.ts" */
/** @typedef {{ title: string; address: string; link: string | null }} Source */

const MOST_SOURCES = 50;

/**
 * The sources of an event, each once: `[{title, address, link}]`; `link` is null where the address is none of the web.
 * @param {EventBody} body
 * @returns {Source[]}
 */
export function sourcesOf(body) {
  const found = new Map();
  for (const chunk of body.grounding_metadata?.grounding_chunks ?? []) {
    const { uri, title } = chunk?.web ?? chunk?.retrieved_context ?? chunk?.maps ?? {};
    add(found, uri, title);
  }
  for (const page of body.url_context_metadata?.url_metadata ?? []) {
    const failed = page?.url_retrieval_status && page.url_retrieval_status !== "URL_RETRIEVAL_STATUS_SUCCESS";
    add(found, page?.retrieved_url, failed ? "could not be read" : "");
  }
  return [...found.values()].slice(0, MOST_SOURCES);
}

/**
 * @param {Map<string, Source>} found
 * @param {unknown} uri
 * @param {unknown} title
 */
function add(found, uri, title) {
  const address = typeof uri === "string" ? uri : "";
  const name = typeof title === "string" ? title : "";
  if (!(address || name) || found.has(address || name)) return;
  found.set(address || name, { title: name || address, address, link: webLink(address) });
}

/**
 * An address that may be opened: of the web, without a name and a password in it; else null.
 * @param {string} address
 */
export function webLink(address) {
  try {
    const { protocol, username, password, href } = new URL(address);
    return ["http:", "https:"].includes(protocol) && !username && !password ? href : null;
  } catch {
    return null;
  }
}

/**
 * What was searched for.
 * @param {EventBody} body
 * @returns {string[]}
 */
export function queriesOf(body) {
  const queries = body.grounding_metadata?.web_search_queries ?? [];
  return queries.filter((/** @type {unknown} */ query) => typeof query === "string" && query);
}

/**
 * The code in a part, or what it printed: `{kind, text, failed}`; null for any other part.
 * @param {Part} part
 */
export function codeIn({ executable_code: code, code_execution_result: result }) {
  if (code) return { kind: "code", text: String(code.code ?? ""), failed: false };
  if (!result) return null;
  return {
    kind: "output",
    text: String(result.output ?? ""),
    failed: Boolean(result.outcome) && result.outcome !== "OUTCOME_OK",
  };
}
