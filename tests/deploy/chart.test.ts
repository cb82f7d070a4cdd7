import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Ingress, Service, Workload } from "./chart-shapes";
import { renderTemplate } from "./chart-template";
import { bundledPrograms } from "./dockerfile-problems";

const folder = "deploy/chart";
const dockerfile = readFileSync("Dockerfile", "utf8");
const chart = parse(readFileSync(`${folder}/Chart.yaml`, "utf8"));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const publicUrl = "https://gateway.example.com";
const isHelmThere = spawnSync("helm", ["version"]).error === undefined;

type Values = Record<string, unknown>;
const own = { database: { embedded: true, size: "10Gi" } };
const external = { database: { embedded: false, size: "10Gi" }, secret: "gateway-settings" };
const ingress = {
  ingress: {
    enabled: true,
    className: "nginx",
    host: "gateway.example.com",
    tlsSecret: "gateway-tls",
    annotations: { "example.com/body-size": "50m" },
  },
};

/** Renders a template and parses it as Kubernetes does, by YAML 1.1. */
function documentOf(text: string, changed: Values = {}): unknown {
  const values = { ...parse(readFileSync(`${folder}/values.yaml`, "utf8")), publicUrl, ...changed };
  return parse(renderTemplate(text, { values, release: "profiles" }), { version: "1.1" });
}

function rendered(template: string, changed?: Values): unknown {
  return documentOf(readFileSync(`${folder}/templates/${template}.yaml`, "utf8"), changed);
}

function gateway(changed?: Values) {
  const workload = Workload.parse(rendered("gateway", changed));
  const pod = workload.spec.template.spec;
  const [container] = pod.containers;
  return { workload, pod, container };
}

test("the chart has the version of the product, and its image too", () => {
  expect(chart).toMatchObject({ apiVersion: "v2", type: "application", appVersion: version });
  expect(gateway().container.image).toBe(`profile-access-gateway:${version}`);
});

test("with the embedded database there is one pod, with a volume that outlives it", () => {
  const { workload, pod, container } = gateway({ ...own, replicas: 3 });
  expect(workload).toMatchObject({ kind: "StatefulSet", spec: { replicas: 1 } });
  const claims = workload.kind === "StatefulSet" ? workload.spec.volumeClaimTemplates : [];
  expect(claims.map(({ metadata, spec }) => [metadata.name, spec.resources.requests])).toEqual([
    ["data", { storage: "10Gi" }],
  ]);
  expect(pod.volumes.map((one) => one.name)).toEqual(["tmp"]);
  expect(container.volumeMounts).toContainEqual({ name: "data", mountPath: "/data" });
});

test("with a database elsewhere there are as many pods as wanted, each with DATABASE_URL", () => {
  const { workload, pod, container } = gateway({ ...external, replicas: 5 });
  expect(workload).toMatchObject({ kind: "Deployment", spec: { replicas: 5 } });
  expect(pod.volumes.map((one) => one.name)).toEqual(["tmp", "data"]);
  expect(container.env).toContainEqual({
    name: "DATABASE_URL",
    valueFrom: { secretKeyRef: { name: "gateway-settings", key: "DATABASE_URL" } },
  });
});

test("a missing address or secret is named", () => {
  expect(() => gateway({ publicUrl: "" })).toThrow("Set publicUrl to the address");
  expect(() => gateway({ ...external, secret: "" })).toThrow("Set secret to the name of a Secret");
});

describe.each(Object.entries({ own, external }))("a pod with %s database", (_name, changed) => {
  const { workload, pod, container } = gateway(changed);

  test("runs as the user that the image is made for, with folders to write to", () => {
    const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    expect(dockerfile).toMatch(new RegExp(`^USER ${runAsUser}:${runAsGroup}$`, "m"));
    expect(fsGroup).toBe(runAsGroup);
    expect(container.volumeMounts.map((one) => one.mountPath)).toEqual(["/data", "/tmp"]);
  });

  test("has its probes on a port that is there, and one that the image has the program for", () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container;
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${ports[0]?.containerPort}$`, "m"));
    for (const { httpGet } of [startupProbe, livenessProbe]) {
      expect(httpGet).toEqual({ path: "/api/health", port: ports[0]?.name });
    }
    expect(readinessProbe.exec?.command.slice(0, 2)).toEqual(["node", "server/run.mjs"]);
    expect(bundledPrograms(dockerfile)).toContain(readinessProbe.exec?.command[2]);
  });

  test("has more time to stop than its pause and the longest orderly stop", () => {
    const pause = Number(container.lifecycle.preStop.exec.command[1]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + 40);
  });

  test("is found by the service, and by what keeps it running", () => {
    const service = Service.parse(rendered("service", changed));
    const { labels } = workload.spec.template.metadata;
    expect(service.spec.selector).toEqual(labels);
    expect(workload.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.ports[0]?.targetPort).toBe(container.ports[0]?.name);
    if (workload.kind === "StatefulSet") {
      expect(workload.spec.serviceName).toBe(service.metadata.name);
    }
  });

  test("mounts volumes that it has", () => {
    const claims = workload.kind === "StatefulSet" ? workload.spec.volumeClaimTemplates : [];
    const names = [
      ...pod.volumes.map((one) => one.name),
      ...claims.map((one) => one.metadata.name),
    ];
    expect(names.toSorted()).toEqual(container.volumeMounts.map((one) => one.name).toSorted());
  });
});

test("settings come from the values and from the secret", () => {
  expect(gateway().container.env).toEqual([
    { name: "PUBLIC_URL", value: publicUrl },
    { name: "TRUST_PROXY_HOPS", value: "1" },
  ]);
  expect(gateway().container.envFrom).toBeUndefined();
  const secretRef = { name: "gateway-settings" };
  expect(gateway({ secret: "gateway-settings" }).container.envFrom).toEqual([{ secretRef }]);
});

test("an ingress is there only if it is wanted, and leads to the service by TLS", () => {
  expect(rendered("ingress")).toBeNull();
  const { metadata, spec } = Ingress.parse(rendered("ingress", ingress));
  const service = Service.parse(rendered("service"));
  expect(metadata.annotations).toEqual({ "example.com/body-size": "50m" });
  expect(spec.tls[0]?.hosts).toEqual([spec.rules[0]?.host]);
  const port = { name: service.spec.ports[0]?.name };
  expect(spec.rules[0]?.http.paths[0]?.backend.service).toEqual({
    name: service.metadata.name,
    port,
  });
});

test.each([
  ["a misspelt key", { resources: { requests: {}, limits: {}, request: {} } }, /"request"/],
  ["an amount that is none", { database: { embedded: true, size: "10GB" } }, /storage/],
  ["a setting that is no text", { env: [{ name: "PORT", value: 3000 }] }, /expected string/],
  ["a name with blanks", { secret: "my secret" }, /secretRef/],
  ["replicas that are no number", { ...external, replicas: "two" }, /expected number/],
  [
    "no version of the image",
    { image: { repository: "a", tag: "latest", pullPolicy: "Always" } },
    /image/,
  ],
])("%s is refused", (_what, changed, reason) => {
  expect(() => gateway(changed)).toThrow(reason);
});

test.each([
  ["replicas: {{", "replicaz: {{", /"replicaz"/],
  ["containerPort: 3000", 'containerPort: "3000"', /expected number/],
  ["runAsNonRoot: true", "runAsNonRoot: false", /runAsNonRoot/],
  ["readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", /readOnlyRootFilesystem/],
  ["path: /api/health", "path: api/health", /httpGet/],
])("a template with %s changed to %s is refused", (from, to, reason) => {
  const text = readFileSync(`${folder}/templates/gateway.yaml`, "utf8");
  expect(text).toContain(from);
  expect(() => Workload.parse(documentOf(text.replace(from, to), external))).toThrow(reason);
});

describe("the templates", () => {
  const scope = { values: { a: { b: "x" }, list: [] }, release: "profiles" };

  test.each([
    ["{{ .Values.a.b | quote }}", '"x"'],
    ["a:\n  {{- toYaml .Values.a | nindent 2 }}", "a:\n  b: x"],
    ["{{ if .Values.list }}1{{ else }}2{{ end }}", "2"],
    ["{{ if not .Values.list }}1{{ end }}", "1"],
    ["x\n  {{- if .Values.a }}\n{{ .Release.Name }}{{ end }}", "x\nprofiles"],
  ])("%s renders", (text, result) => {
    expect(renderTemplate(text, scope)).toBe(result);
  });

  test.each([
    "{{ .Values.c }}",
    "{{ .Values.a }}",
    "{{ .Chart.Name }}",
    "{{ lookup .Values.a }}",
    "{{ .Values.a.b | upper }}",
    "{{ range .Values.list }}{{ end }}",
    "{{ if .Values.a }}",
    "{{ end }}",
    "{{ .Values.a.b -}}",
    "{{.Values.a.b}}",
  ])("%s is refused", (text) => {
    expect(() => renderTemplate(text, scope)).toThrow();
  });
});

describe.runIf(isHelmThere)("helm", () => {
  const names = readdirSync(`${folder}/templates`).map((file) => file.replace(".yaml", ""));

  const runs = Object.entries({ own, external, ingress });
  test.each(runs)("finds no fault with %s, and renders it as the test does", (_name, changed) => {
    const helm = (...args: string[]) => {
      const input = JSON.stringify({ publicUrl, ...changed });
      return spawnSync("helm", [...args, "--values", "-"], { input, encoding: "utf8" });
    };
    const { status, stdout } = helm("lint", "--strict", folder);
    expect(status, stdout).toBe(0);
    const sorted = (documents: unknown[]) =>
      documents
        .filter((one) => one !== null)
        .map((one) => JSON.stringify(one))
        .toSorted();
    const helms = parseAllDocuments(helm("template", "profiles", folder).stdout);
    expect(sorted(helms.map((one) => one.toJS()))).toEqual(
      sorted(names.map((name) => rendered(name, changed))),
    );
  });
});
