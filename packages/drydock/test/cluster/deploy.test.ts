import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const commands = read("docs/reference/commands.md");

interface Container {
  args: string[];
  securityContext: { allowPrivilegeEscalation: boolean; capabilities: { drop: string[] } };
}
interface Manifest {
  kind: string;
  spec: {
    template: { spec: { securityContext: { runAsNonRoot: boolean; runAsUser: number }; containers: Container[] } };
  };
}

const pods = parseAllDocuments(read("deploy/kubernetes/drydock.yaml"))
  .map((document) => document.toJS() as Manifest)
  .filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet")
  .map(({ spec }) => spec.template.spec);
const { services } = parse(read("deploy/compose.yaml"), { merge: true }) as {
  services: Record<string, { image: string; command?: string[]; cap_drop?: string[]; security_opt?: string[] }>;
};
const drydock = Object.values(services).filter(({ image }) => image === "drydock");
const units = readdirSync(join(root, "deploy/systemd")).map((name) => read(`deploy/systemd/${name}`));

it("everything that is deployed starts commands that exist, with options that they have", () => {
  const started = [
    ...pods.flatMap(({ containers }) => containers.map(({ args }) => args)),
    ...drydock.map(({ command }) => command ?? []),
    ...units.map((unit) => /^ExecStart=\/usr\/bin\/env drydock (.*)$/m.exec(unit)?.[1]?.split(" ") ?? []),
  ];
  expect(started).toHaveLength(6);
  for (const [name = "", ...words] of started) {
    const [, page = ""] = commands.split(`\n## drydock ${name}\n`);
    expect(page, name).not.toBe("");
    const section = page.split("\n## ")[0] ?? "";
    for (const option of words.filter((word) => word.startsWith("--"))) expect(section, name).toContain(option);
  }
});

it("nothing that is deployed is root, or can become it", () => {
  expect(read("deploy/Containerfile").match(/^USER .*/gm)).toEqual(["USER 10001:10001"]);
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const container of containers) {
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
  for (const service of drydock) {
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.security_opt).toContain("no-new-privileges");
  }
  for (const unit of units) {
    expect(unit).toMatch(/^User=drydock$/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  }
});
