import { type Client, outgoingOf } from "../client";

/** Sends again, to either gateway, what somebody has sent before: moments ago or many restarts ago. */
export async function replayer(client: Client): Promise<void> {
  const { board, random } = client;
  if (board.sent.length > 0) {
    const { signed, meant } = random.pick(board.sent);
    await client.ask(meant, outgoingOf(signed));
  }
  await client.rest();
}
