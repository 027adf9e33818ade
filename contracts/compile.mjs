// Compiles every contract of src/ and writes one artifact per contract: node compile.mjs [output folder]
//
// The output depends on the sources and on the pinned compiler alone: no metadata hash, no paths of the machine, a
// fixed order. So a second run anywhere gives the same bytes, and build.sh --check can compare them.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const solc = require("solc");

const root = dirname(fileURLToPath(import.meta.url));
const outDir = process.argv[2] ?? join(root, "artifacts");

const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  evmVersion: "cancun", // the first with transient storage, and so the one that most chains run
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
};

function sources() {
  const found = {};
  for (const file of readdirSync(join(root, "src"), { recursive: true }).sort()) {
    if (!file.endsWith(".sol")) continue;
    const name = join("src", file).split(sep).join("/");
    found[name] = { content: readFileSync(join(root, name), "utf8") };
  }
  return found;
}

function findImport(path) {
  try {
    return { contents: readFileSync(join(root, "node_modules", path), "utf8") };
  } catch (err) {
    return { error: `${path}: ${err.code}` };
  }
}

const input = { language: "Solidity", sources: sources(), settings };
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));

// 2394 reminds of EIP-1153 wherever tstore is compiled; here only OpenZeppelin's guard uses it, which clears it again.
const problems = (output.errors ?? []).filter((e) => e.errorCode !== "2394");
for (const problem of problems) console.error(problem.formattedMessage);
if (problems.length > 0) process.exit(1); // a warning is an error: nobody reads it a second time

rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
for (const source of Object.keys(input.sources)) {
  for (const [name, contract] of Object.entries(output.contracts[source] ?? {})) {
    if (contract.evm.bytecode.object === "") continue; // an interface or abstract contract
    const artifact = {
      contract: name,
      source,
      abi: contract.abi,
      bytecode: "0x" + contract.evm.bytecode.object,
      deployedBytecode: "0x" + contract.evm.deployedBytecode.object,
    };
    writeFileSync(join(outDir, `${name}.json`), JSON.stringify(artifact, null, 1) + "\n");
  }
}
console.log(`compiled with solc ${solc.version().split("+")[0]} into ${relative(process.cwd(), outDir) || "."}`);
