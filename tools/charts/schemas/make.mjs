// Writes the schemas in this folder, one file for each kind. Each schema has no
// references, and does not allow unknown fields.
//
//   node make.mjs DIR
//
// DIR holds the unpacked npm package kubernetes-models 2.0.2 (MIT; its schemas are
// those of Kubernetes 1.23, Apache-2.0). scaledobject-keda-v1alpha1.json,
// podmonitor-monitoring-v1.json and prometheusrule-monitoring-v1.json were written by hand,
// with the fields that the chart uses.
import { createRequire } from "node:module";
import Module from "node:module";
import { resolve } from "node:path";
import { writeFileSync } from "node:fs";

const known = new Map();
const load = Module._load;
// Replace the package's validator by a function that collects the schemas.
Module._load = (name, ...rest) => name === "@kubernetes-models/validate" ? { register: (id, schema) => known.set(id, schema) } : load(name, ...rest);
const require = createRequire(resolve(process.argv[2]) + "/");

const kinds = {
  "deployment-apps-v1": "IoK8sApiAppsV1Deployment", "job-batch-v1": "IoK8sApiBatchV1Job",
  "service-v1": "IoK8sApiCoreV1Service", "serviceaccount-v1": "IoK8sApiCoreV1ServiceAccount",
  "configmap-v1": "IoK8sApiCoreV1ConfigMap", "poddisruptionbudget-policy-v1": "IoK8sApiPolicyV1PodDisruptionBudget",
  "pod-v1": "IoK8sApiCoreV1Pod", "ingress-networking-v1": "IoK8sApiNetworkingV1Ingress",
  "networkpolicy-networking-v1": "IoK8sApiNetworkingV1NetworkPolicy",
};

// inline returns the schema with each reference replaced by the schema that it names.
function inline(schema) {
  if (Array.isArray(schema)) return schema.map(inline);
  if (schema === null || typeof schema !== "object") return schema;
  if (schema.$ref) return inline(known.get(schema.$ref.replace(/#$/, "")));
  const out = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, key === "required" || key === "enum" ? value : inline(value)]));
  if (out.properties && out.additionalProperties === undefined) out.additionalProperties = false;
  return out;
}

for (const [file, name] of Object.entries(kinds)) {
  require(`./_schemas/${name}.js`).addSchema();
  const id = [...known.keys()].find((id) => id.replaceAll(/[.-]/g, "").toLowerCase() === name.toLowerCase());
  writeFileSync(`${file}.json`, JSON.stringify(inline(known.get(id))) + "\n");
}
