/** What the page and the view tell each other, see `ui.session_view.component`; and what these modules know of the view. */

import type { Inspector } from "../inspector/inspector.js";
import type { VirtualList } from "../list/virtual_list.js";
import type { Json } from "../../../browser/js/types.d.ts";
import type { AgentNode, Observation, StopMark } from "../log/folds.d.ts";
import type { PriceRow } from "../log/prices.js";
import type { WindowRow } from "../prompt/windows.js";
import type { Speed } from "./player.js";

/** What the page gives. */
export interface Props {
  pipeline: string;
  session: string | null;
  tree: AgentNode | null;
  /** How often the script has written the page's address. */
  written: number;
  /** Whether the page takes a run to be at work. */
  running?: boolean | null;
  /** What to show where there is no session. */
  empty: { title: string; text: string };
  prices: PriceRow[];
  windows?: WindowRow[];
  /** The lesson of the pipeline, if it has something to look for. */
  lesson?: Lesson | null;
  /** Name, revision and number of bullets of the playbook that the next run starts with. */
  playbook?: [string, number, number] | null;
  answerable?: boolean;
  judgeable?: boolean;
  /** Whether the page takes questions what if an entry had been otherwise. */
  forkable?: boolean;
  /** Whether the page sends an example of a refusal. */
  sendable?: boolean;
  /** Whether the view takes the height that the page leaves. */
  fill?: boolean;
}

/** A lesson as `ui.session_view.lesson` gives it. */
export interface Lesson {
  pipeline: string;
  text: string;
  observations: Observation[];
}

/** How the page is told. */
export interface Api {
  setTriggerValue?: (name: string, value: Json) => void;
}

export type Pane = "agents" | "events" | "inspector";

/** What a user moves about in; see `view/panes.js`. */
export interface Panes {
  list: VirtualList;
  inspector: Inspector;
  layout: {
    showPane: (pane: Pane) => void;
    showChoice: (some: boolean) => void;
    closePane: () => boolean;
  };
}

/** Where the cursor is. */
export interface Position {
  /** The number of its event; null at the end. */
  at: number | null;
  events: number;
  /** Says more of that event. */
  who: string;
  marks: StopMark[];
  /** The number of the event that state is compared with. */
  pinned: number | null;
  /** How many events came since the cursor left the end. */
  arrived: number;
  running: boolean;
  playing: boolean;
  speed: Speed;
}
