import { z } from "zod";

// The part of Kubernetes' types that our chart uses. Unknown keys and values of another type are refused.

const text = z.string().min(1);
const name = z.string().regex(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
const label = z.strictObject({
  "app.kubernetes.io/name": text,
  "app.kubernetes.io/instance": text,
});
const metadata = z.strictObject({
  name,
  labels: label,
  annotations: z.record(text, z.string()).optional(),
});
const quantity = z.string().regex(/^\d+(\.\d+)?(m|Ki|Mi|Gi|Ti)?$/);
const portName = z.string().regex(/^[a-z][a-z0-9-]{0,14}$/);
const port = z.int().min(1).max(65_535);
const seconds = z.int().min(1);
const absolute = z.string().startsWith("/");

const probe = z
  .strictObject({
    httpGet: z.strictObject({ path: absolute, port: z.union([portName, port]) }).optional(),
    exec: z.strictObject({ command: z.array(text).min(1) }).optional(),
    periodSeconds: seconds,
    timeoutSeconds: seconds,
    failureThreshold: seconds.optional(),
  })
  .refine((one) => (one.httpGet === undefined) !== (one.exec === undefined), "needs one action");

const variable = z
  .strictObject({
    name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
    value: z.string().optional(),
    valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name, key: text }) }).optional(),
  })
  .refine((one) => (one.value === undefined) !== (one.valueFrom === undefined), "needs one value");

const container = z.strictObject({
  name,
  image: z.string().regex(/^[\w./-]+:(?!latest$)[\w.-]+$/),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  ports: z.array(z.strictObject({ name: portName, containerPort: port })),
  env: z.array(variable),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name }) })).optional(),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: z.strictObject({
    preStop: z.strictObject({ exec: z.strictObject({ command: z.array(text) }) }),
  }),
  resources: z.strictObject({
    requests: z.record(z.enum(["cpu", "memory"]), quantity),
    limits: z.partialRecord(z.enum(["cpu", "memory"]), quantity),
  }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: absolute })),
});

const template = z.strictObject({
  metadata: z.strictObject({ labels: label }),
  spec: z.strictObject({
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    terminationGracePeriodSeconds: seconds,
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int().min(1),
      runAsGroup: z.int().min(1),
      fsGroup: z.int().min(1),
      fsGroupChangePolicy: z.enum(["Always", "OnRootMismatch"]),
      seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
    }),
    containers: z.tuple([container]),
    volumes: z.array(z.strictObject({ name, emptyDir: z.strictObject({}) })),
  }),
});

const claim = z.strictObject({
  metadata: z.strictObject({ name }),
  spec: z.strictObject({
    accessModes: z.array(z.enum(["ReadWriteOnce", "ReadWriteOncePod"])),
    resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
  }),
});

const pods = { selector: z.strictObject({ matchLabels: label }), template };

const StatefulSet = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("StatefulSet"),
  metadata,
  spec: z.strictObject({
    ...pods,
    replicas: z.literal(1),
    serviceName: name,
    volumeClaimTemplates: z.array(claim),
  }),
});

const Deployment = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata,
  spec: z.strictObject({ ...pods, replicas: z.int().min(1) }),
});

export const Workload = z.discriminatedUnion("kind", [StatefulSet, Deployment]);

export const Service = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata,
  spec: z.strictObject({
    selector: label,
    ports: z.array(z.strictObject({ name: portName, port, targetPort: portName })),
  }),
});

const backend = z.strictObject({
  service: z.strictObject({ name, port: z.strictObject({ name: portName }) }),
});

export const Ingress = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("Ingress"),
  metadata,
  spec: z.strictObject({
    ingressClassName: name.optional(),
    tls: z.array(z.strictObject({ hosts: z.array(text), secretName: name })),
    rules: z.array(
      z.strictObject({
        host: text,
        http: z.strictObject({
          paths: z.array(
            z.strictObject({ path: absolute, pathType: z.enum(["Prefix", "Exact"]), backend }),
          ),
        }),
      }),
    ),
  }),
});
