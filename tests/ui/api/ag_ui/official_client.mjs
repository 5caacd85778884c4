// Drives AG-UI's own client through a run that asks, its answer, and the state and messages that are left.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, url] = process.argv.slice(2);
const { resolve } = createRequire(pathToFileURL(join(folder, "package.json")));
const { HttpAgent } = await import(pathToFileURL(resolve("@ag-ui/client")).href);

const agent = new HttpAgent({ url: `${url}/ag-ui/approval`, threadId: "official-client" });
agent.messages = [{ id: "1", role: "user", content: "Pay 250 euros to the boat builder" }];
await agent.runAgent();
const [interrupt] = agent.pendingInterrupts;
const answer = { interruptId: interrupt.id, status: "resolved", payload: { confirmed: true } };
await agent.runAgent({ resume: [answer] });
const said = agent.messages.filter(({ role }) => role === "assistant").map(({ content }) => content ?? "");
console.log(JSON.stringify({
  asked: interrupt.metadata.tool,
  left: agent.pendingInterrupts.length,
  roles: [...new Set(agent.messages.map(({ role }) => role))].sort(),
  said: said.at(-1),
  paid: agent.state.payments_made,
}));
