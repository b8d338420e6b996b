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

/** Debian's packages of modules that are often wanted, where they are not `python3-` and the module's name. */
const DEBIAN: Record<string, string> = {
  Crypto: "python3-pycryptodome",
  cv2: "python3-opencv",
  PIL: "python3-pil",
  docx: "python3-docx",
  mpl_toolkits: "python3-matplotlib",
  pylab: "python3-matplotlib",
  OpenSSL: "python3-openssl",
};

const DEBIAN_PLAIN = new Set(
  `aiohttp attr bs4 chardet cryptography dateutil docutils dotenv flask git html5lib httpx jinja2 joblib jsonschema jwt lxml magic
  markdown matplotlib networkx nltk numpy openpyxl pandas pexpect pkg_resources psutil psycopg2 pydantic pygments pymysql pytest
  redis requests rich scipy seaborn serial shapely simplejson skimage sklearn sqlalchemy statsmodels sympy tabulate termcolor
  toml tqdm tz urllib3 websockets xlsxwriter yaml zmq`.split(/\s+/),
);

export interface MissingPackage {
  /** What its registry calls it. */
  package: string;
  /** The command that installs it where the sandbox finds it. */
  install: string;
}

/** How to get a Python module: Debian's package where there is one, else the distribution of the package index. */
export function findPythonPackage(module: string): MissingPackage {
  const root = module.split(".")[0] ?? module;
  const distribution = DISTRIBUTIONS[root] ?? root;
  const debian =
    DEBIAN[root] ?? (DEBIAN_PLAIN.has(root) ? `python3-${root.toLowerCase().replaceAll("_", "-")}` : undefined);
  const install = debian ? `sudo apt-get install ${debian}` : `python3 -m pip install ${distribution}`;
  return { package: distribution, install };
}

/** How to get a Node module; undefined for a path, which is a file of the workspace's own. */
export function findNodePackage(specifier: string): MissingPackage | undefined {
  if (/^[./]|^(file|node|data):/.test(specifier)) return undefined;
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;
  return { package: name, install: `npm install ${name}` };
}
