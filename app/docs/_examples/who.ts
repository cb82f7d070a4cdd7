/** Whose gateway, whose key, whose profile: what a reader of an example replaces. */
export interface Who {
  gateway: string;
  agent: string;
  keyFile: string;
  owner: string;
}

/** The people that the demo data brings, so that an example works when it is pasted. */
export const demoWho: Omit<Who, "gateway"> = {
  agent: "did:prof:agent:local:iris",
  keyFile: ".data/demo/iris.pem",
  owner: "did:prof:user:local:alice",
};
