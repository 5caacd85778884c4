/** A session as Python files; see `agents.sharing.SessionCode`. */

export interface Code {
  pipeline: string;
  /** The file on this project's API; "" if there is none. */
  playground: string;
  playground_lacks: string[];
  /** The file on google-adk; "" if there is none. */
  adk: string;
  adk_lacks: string[];
}

/** The session whose code is wanted, and how many runs it has: each adds a message. */
export interface CodePlace {
  pipeline: string;
  session: string;
  runs: number;
}
