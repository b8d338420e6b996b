/** Python modules that are installed under another name. */
const DISTRIBUTIONS: Record<string, string> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  Crypto: "pycryptodome",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "PyMuPDF",
  git: "GitPython",
  jwt: "PyJWT",
  magic: "python-magic",
  MySQLdb: "mysqlclient",
  OpenSSL: "pyOpenSSL",
  PIL: "Pillow",
  pptx: "python-pptx",
  psycopg2: "psycopg2-binary",
  serial: "pyserial",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  slugify: "python-slugify",
  yaml: "PyYAML",
  zmq: "pyzmq",
};

export interface MissingPackage {
  /** What its registry calls it. */
  package: string;
  /** What to do to have it where the sandbox finds it. */
  remedy: string;
}

/** Packages are installed for one set of requirements, in the sandbox: what the machine's Python has stays as it is. */
export function findPythonPackage(module: string): MissingPackage {
  const root = module.split(".")[0] ?? module;
  const distribution = DISTRIBUTIONS[root] ?? root;
  return {
    package: distribution,
    remedy:
      `Write ${distribution} into a requirements file F, and run it again with --requirements F --install ` +
      "(`requirements` and `install` in the library, over HTTP and MCP). The owner allows the hosts of the package index " +
      "first, `drydock policy allow network HOST:443`; a refusal names those that are missing.",
  };
}

/** How to get a Node module; undefined for a path, which is a file of the workspace's own. */
export function findNodePackage(specifier: string): MissingPackage | undefined {
  if (/^[./]|^(file|node|data):/.test(specifier)) return undefined;
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;
  return { package: name, remedy: `Install it in the workspace, outside of the sandbox: npm install ${name}.` };
}
