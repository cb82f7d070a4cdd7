/** The people of the demo data, which docs/examples.md is written for: its programs work when pasted. */
export const demoWho = {
  agent: "did:prof:agent:local:iris",
  keyFile: ".data/demo/iris.pem",
  owner: "did:prof:user:local:alice",
};
