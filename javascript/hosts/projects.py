"""The projects: what each installs, its files, and the cells of its row.

A cell is a function of a Project that returns what the package answered there. Versions are pinned here.
"""

import contextlib
import dataclasses
import functools
import http.server
import json
import os
import pathlib
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
TYPED = (HERE.parent / "tests/typed_uses.ts").read_text()
TYPED_REQUIRE = TYPED.split("// ---- tensorpad/check")[0]
NODES = ("18.20.8", "20.20.2", "22.23.3", "24.21.0", "26.10.0")
BUILDER = "24.21.0"  # the Node in which all other tools run
SECONDS = 300  # for a command
PAGE_SECONDS = 60  # for a page to report

TOLD = "3,2,1,2,3,2,1 8 7,2 E_NEGATIVE wasm"
ANSWER = f"{TOLD} same class"


class Failed(Exception):
    """A program failed; its text is what it said last."""


@dataclasses.dataclass(eq=False)
class Project:
    """A folder with a fresh project. environment: that of its programs."""

    folder: pathlib.Path
    environment: dict

    def run(self, command):
        """What a program printed last. command: its words, or a text with spaces between them."""
        words = command.split() if isinstance(command, str) else command
        with (self.folder / "log.txt").open("ab") as log:
            try:
                done = subprocess.run(
                    words,
                    cwd=self.folder,
                    env=self.environment,
                    timeout=SECONDS,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            except subprocess.TimeoutExpired:
                raise Failed(f"{words[0]}: more than {SECONDS} s") from None
            log.write(f"$ {' '.join(words)}\n".encode() + done.stdout)
        lines = done.stdout.decode(errors="replace").strip().splitlines() or [""]
        if done.returncode != 0:
            wrong = [line for line in lines if "rror" in line]
            raise Failed((wrong or lines)[0])
        return lines[-1]


@dataclasses.dataclass
class Host:
    """A row. wanted: what each cell has to answer."""

    name: str
    packages: str
    files: dict  # {path: text}
    cells: dict  # {name of the column: function of the Project}
    wanted: str = ANSWER


# The program: what each place runs, as modules.
PROGRAMS = {
    "told.js": """import { kernels, pad, padBatch, PadError, padTo, unpad } from "tensorpad";

/** What the package answers, as one line. */
export function told() {
    const { data } = pad(new Float32Array([1, 2, 3]), [3], { padWidth: 2, mode: "reflect" });
    const { padWidth, ...wide } = padTo({ data, shape: [7] }, { multiple: 4 });
    const inside = unpad(wide, { padWidth }).data;
    const { lengths } = padBatch([inside, inside.subarray(5)], { lengths: true });
    let refused = "nothing was refused";
    try {
        pad(new Int8Array(2), [2], { padWidth: -2 });
    } catch (error) {
        refused = error instanceof PadError ? error.status : String(error);
    }
    return `${data.join()} ${wide.shape} ${lengths} ${refused} ${kernels}`;
}
""",
    "answer.js": """import { PadError } from "tensorpad";
import other from "other";
import { told } from "./told.js";

/** The same, and whether a package that calls `require` has the same class of errors. */
export function answer() {
    return `${told()} ${other.PadError === PadError ? "same" : "another"} class`;
}
""",
    "worker.js": """import { answer } from "./answer.js";

onmessage = () => {
    let said;
    try {
        said = answer();
    } catch (error) {
        said = String(error);
    }
    postMessage(said);
};
""",
    "main.js": """import { answer } from "./answer.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
window.tellAll(answer, worker);
""",
    "report.js": """/** Sends what page and worker answered to the program that opened the page. The worker gets its message
 * at once, before it can have loaded its modules. */
const send = (where, said) =>
    fetch(new URLSearchParams(location.search).get("report"), {
        method: "POST",
        mode: "no-cors",
        body: JSON.stringify([where, said]),
    });
addEventListener("error", (event) => send("page", `error: ${event.message ?? event}`));
window.tellAll = (answer, worker) => {
    worker.onmessage = ({ data }) => send("worker", data);
    worker.onerror = (event) => send("worker", `error: ${event.message}`);
    worker.postMessage("go");
    send("page", answer());
};
""",
}


# ---- Programs in files -------------------------------------------------------------------------------------

TOLD_JS, ANSWER_JS, MAIN_JS = (PROGRAMS[f"{name}.js"] for name in ("told", "answer", "main"))
SAID = "console.log(answer());\n"


def within(folder, files):
    return {f"{folder}/{name}": text for name, text in files.items()}


def as_require(text):
    """A module as CommonJS."""
    lines = []
    for line in text.splitlines():
        if line.startswith("import "):
            names, source = line.removeprefix("import ").removesuffix(";").split(" from ")
            line = f"const {names} = require({source});"
        lines.append(line.removeprefix("export "))
    return "\n".join(lines) + "\n"


def in_mjs_and_cjs(ends, told_require):
    """The answers by import and by require. ends: {file: what stands after the answer's program}."""
    by_import = ANSWER_JS.replace("./told.js", "./told.mjs")
    by_require = as_require(ANSWER_JS).replace("./told.js", f"./{told_require}")
    files = {
        "told.mjs": TOLD_JS,
        told_require: as_require(TOLD_JS) + "module.exports = { told };\n",
    }
    for name, end in ends.items():
        files[name] = (by_require if "require" in name else by_import) + end
    return files


def page(script, folder="."):
    """A page with this script, and the program that reports for it, in a folder of the project."""
    html = f'<!doctype html>\n<meta charset="utf-8">\n<script src="report.js"></script>\n{script}\n'
    return within(folder, {"index.html": html, "report.js": PROGRAMS["report.js"]})


MODULE = '<script type="module" src="main.js"></script>'
CLASSIC = '<script src="main.js"></script>'


def with_worker_beside(is_module):
    """The programs and the page, with the worker as a file beside it."""
    main = MAIN_JS.replace('new URL("./worker.js", import.meta.url)', '"worker.js"')
    if not is_module:
        main = main.replace(', { type: "module" }', "")
    return {**PROGRAMS, "main.js": main, **page(MODULE if is_module else CLASSIC, "dist")}


# ---- In browsers -------------------------------------------------------------------------------------------

COMMANDS = {
    "Chromium": "chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir={profile}",
    "Firefox": "firefox-esr --headless --no-remote --profile {profile}",
}


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; what is posted goes into a queue."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
    }

    def __init__(self, reports, *words, **options):
        self.reports = reports
        super().__init__(*words, **options)

    def do_POST(self):
        self.reports.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address of a server of a folder, and the queue of its reports."""
    reports = queue.Queue()
    handler = functools.partial(Folder, reports, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", reports
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def started(command, folder, environment=None, log=subprocess.DEVNULL):
    """A program that runs until the end of the block, with all that it started."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def missing(browser):
    return shutil.which(COMMANDS[browser].split()[0]) is None


def version(browser):
    command = [COMMANDS[browser].split()[0], "--version"]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    return next((word for word in said.split() if word[0].isdigit()), "")


def opened(browser, page, reports_to, reports):
    """What page and worker said: {"page": text, "worker": text}. page: its address."""
    said = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = COMMANDS[browser].format(profile=profile).split()
        with started([*command, f"{page}?report={reports_to}/report"], profile):
            while len(said) < 2:
                try:
                    where, text = reports.get(timeout=PAGE_SECONDS)
                except queue.Empty:
                    break
                said.setdefault(where, text)
    return {where: said.get(where, "no answer") for where in ("page", "worker")}


def wait_for(address, process):
    end = time.monotonic() + 90
    while time.monotonic() < end:
        if process.poll() is not None:
            raise Failed(f"the server ended with status {process.returncode}")
        try:
            return urllib.request.urlopen(address, timeout=60).read()
        except urllib.error.HTTPError as error:
            raise Failed(f"the server answered {error.code}") from None
        except OSError:
            time.sleep(0.3)
    raise Failed("the server did not answer in time")


@contextlib.contextmanager
def server(project, command):
    """The address of a server that a command starts; {port} in it is replaced."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with (project.folder / "log.txt").open("ab") as log:
        with started(
            command.format(port=port).split(), project.folder, project.environment, log
        ) as process:
            wait_for(f"http://127.0.0.1:{port}/", process)
            yield f"http://127.0.0.1:{port}/"


def in_browsers(folder, build=None, serve=None):
    """Cells of a page in each browser. folder: of the project, which is served. build: a command that runs
    before. serve: a command of a server of its own."""

    @functools.cache
    def built(project):
        """The error of the build, or None."""
        try:
            if build:
                project.run(build)
        except Failed as error:
            return error

    @functools.cache
    def answers(project, browser):
        with served(project.folder / folder) as (address, reports):
            if serve is None:
                return opened(browser, f"{address}/", address, reports)
            with server(project, serve) as own:
                return opened(browser, own, address, reports)

    def cell(browser, where, project):
        if missing(browser):
            return None
        if built(project):
            raise built(project)
        return answers(project, browser)[where]

    return {
        f"{browser}, {where}": functools.partial(cell, browser, where)
        for browser in COMMANDS
        for where in ("page", "worker")
    }


def fetched(address):
    try:
        return urllib.request.urlopen(address, timeout=60).read().decode()
    except urllib.error.HTTPError as error:
        raise Failed(f"status {error.code}") from None


VITE_PAGE = {
    "index.html": page(MODULE)["./index.html"].replace('src="', 'src="/'),
    "public/report.js": PROGRAMS["report.js"],
}
ROLLUP = """import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
const plugins = [nodeResolve(), commonjs()];
export default ["main", "worker"].map((name) => ({
    input: `${name}.js`, plugins, output: { file: `dist/${name}.js`, format: "%s" },
}));
"""
NEXT = {
    **within("app", PROGRAMS),
    "public/report.js": PROGRAMS["report.js"],
    "next.config.mjs": "export default {};\n",
    "app/layout.js": """export default function Layout({ children }) {
    return <html lang="en"><head><script src="/report.js" /></head><body>{children}</body></html>;
}
""",
    "app/page.js": """"use client";
import { useEffect } from "react";

export default function Page() {
    useEffect(() => { import("./main.js"); }, []);
    return <p>page</p>;
}
""",
    **{
        f"app/{name}/route.js": f"""import {{ answer }} from "../answer.js";

export const runtime = "{runtime}";
export const dynamic = "force-dynamic";

export function GET() {{
    return new Response(answer());
}}
"""
        for name, runtime in (("server", "nodejs"), ("edge", "edge"))
    },
}
NEXT_PACKAGES = "next@16.4.6 react@19.3.1 react-dom@19.3.1"
NEXT_BUILD = "npx next build"
NEXT_START = "npx next start --port {port} --hostname 127.0.0.1"


def next_route(name, project):
    project.run(NEXT_BUILD)
    with server(project, NEXT_START) as address:
        return fetched(f"{address}{name}")


def mapped_files():
    """With an import map, which workers do not have: theirs are copies with addresses."""
    mapped = json.dumps({"imports": {"tensorpad": "/node_modules/tensorpad/index.js"}})
    here = {"worker.js": PROGRAMS["worker.js"], "told_here.js": TOLD_JS}
    for name, text in here.items():
        text = text.replace('"tensorpad"', '"/node_modules/tensorpad/index.js"')
        answer = 'import { answer } from "./answer.js"'
        here[name] = text.replace(answer, 'import { told as answer } from "./told_here.js"')
    return {
        **PROGRAMS,
        "answer.js": 'export { told as answer } from "./told.js";\n',
        "main.js": MAIN_JS.replace("./worker.js", "./here/worker.js"),
        **within("here", here),
        **page(f'<script type="importmap">{mapped}</script>\n{MODULE}'),
    }


def plain_files():
    """With the package as a plain script."""
    told = TOLD_JS.split("\n", 1)[1].replace("export ", "")
    used = f"const {{ kernels, pad, padBatch, PadError, padTo, unpad }} = tensorpad;\n{told}const answer = told;\n"
    common = "/node_modules/tensorpad/common/tensorpad.js"
    worker = PROGRAMS["worker.js"].split("\n", 1)[1]
    return {
        "worker.js": f'importScripts("{common}");\n{used}{worker}',
        "main.js": f'{used}window.tellAll(answer, new Worker("worker.js"));\n',
        **page(f'<script src="{common}"></script>\n{CLASSIC}'),
    }


def esbuild_bundle(kind):
    return f"npx esbuild main.js worker.js --bundle --format={kind} --outdir=dist"


ROLLUP_PACKAGES = "rollup@4.68.8 @rollup/plugin-node-resolve@16.0.3 @rollup/plugin-commonjs@29.0.0"
VITE_SERVER = "npx vite --port {port} --strictPort --host 127.0.0.1"
WEBPACK = "npx webpack --mode production --entry ./src/main.js"
PARCEL = "npx parcel build index.html --no-cache --cache-dir cache"


def vite(version):
    files, packages = {**PROGRAMS, **VITE_PAGE}, f"vite@{version}"
    return [
        Host(f"Vite {version}, build", packages, files, in_browsers("dist", "npx vite build")),
        Host(f"Vite {version}, server", packages, files, in_browsers(".", serve=VITE_SERVER)),
    ]


def esbuild(kind):
    files = with_worker_beside(kind == "esm")
    cells = in_browsers("dist", esbuild_bundle(kind))
    return Host(f"esbuild 0.28.2, {kind}", "esbuild@0.28.2", files, cells)


def rollup(kind):
    files = {**with_worker_beside(kind == "es"), "rollup.config.mjs": ROLLUP % kind}
    return Host(
        f"Rollup 4.68.8, {kind}", ROLLUP_PACKAGES, files, in_browsers("dist", "npx rollup -c")
    )


IN_BROWSERS = [
    *vite("5.4.21"),
    *vite("8.3.8"),
    Host(
        "webpack 5.113.0",
        "webpack@5.113.0 webpack-cli@7.3.1",
        {**within("src", PROGRAMS), **page(CLASSIC, "dist")},
        in_browsers("dist", WEBPACK),
    ),
    *map(esbuild, ("esm", "iife")),
    *map(rollup, ("es", "iife")),
    Host(
        "Parcel 2.16.4", "parcel@2.16.4", {**PROGRAMS, **page(MODULE)}, in_browsers("dist", PARCEL)
    ),
    Host("Next.js 16.4.6, client", NEXT_PACKAGES, NEXT, in_browsers(".", NEXT_BUILD, NEXT_START)),
    Host("import map", "", mapped_files(), in_browsers("."), TOLD),
    Host("plain `<script>`", "", plain_files(), in_browsers("."), TOLD),
]


# ---- Without a browser -------------------------------------------------------------------------------------


def runs(command):
    return {
        name: functools.partial(
            lambda program, project: project.run(program), f"{command} {name}.{end}"
        )
        for name, end in (("import", "mjs"), ("require", "cjs"))
    }


def passes(command):
    """A cell in which a test runner or tsc has to end well."""

    def cell(project):
        project.run(command)
        return ANSWER

    return cell


def esbuild_for_node(kind, ending, project):
    for name in ("main", "version"):
        project.run(
            f"npx esbuild {name}.js --bundle --platform=node --format={kind} --outfile=out/{name}.{ending}"
        )
    if (project.folder / f"out/version.{ending}").stat().st_size > 5000:
        raise Failed("the bundle of the version has the engine")
    return project.run(f"node out/main.{ending}")


def workerd(project):
    """One file that esbuild makes, with the modules of WebAssembly beside it, as wrangler does."""
    project.run(
        "npx esbuild main.js --bundle --format=esm --outfile=dist/main.js --conditions=workerd,worker "
        "--loader:.wasm=copy --asset-names=[name]"
    )
    serve = "npx workerd serve config.capnp --socket-addr http=127.0.0.1:{port}"
    with server(project, serve) as address:
        return fetched(address)


WORKERD = {
    **PROGRAMS,
    "main.js": """import { answer } from "./answer.js";
export default { fetch() { return new Response(answer()); } };
""",
    "config.capnp": """using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "*:8080", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "main.js", esModule = embed "dist/main.js"),
             (name = "engine.wasm", wasm = embed "dist/engine.wasm"),
             (name = "simd.wasm", wasm = embed "dist/simd.wasm")],
  compatibilityDate = "2026-01-01",
);
""",
}
NODE_FILES = in_mjs_and_cjs({"import.mjs": SAID, "require.cjs": SAID}, "told.cjs")
DENO = "npx deno run --quiet --no-lock --node-modules-dir=manual --allow-read"
TEST = (
    """test("pads", () => {
    expect(answer()).toBe("%s");
});
"""
    % ANSWER
)
JEST_FILES = {  # files that end in .js are CommonJS here
    "package.json": '{ "name": "user", "version": "1.0.0" }',
    "jest.config.json": '{ "testMatch": ["**/*.test.js", "**/*.test.mjs"], "transform": {} }',
    **in_mjs_and_cjs({"import.test.mjs": TEST, "require.test.js": TEST}, "told.js"),
}
VITEST_TEST = f"""import {{ expect, test }} from "vitest";
import {{ answer }} from "./answer.js";
{TEST}"""


def jest(environment):
    packages = "jest@30.5.2 jest-environment-jsdom@30.5.2"
    command = (
        "node --experimental-vm-modules node_modules/jest/bin/jest.js "
        f"--env={environment} --config=jest.config.json"
    )
    cells = {
        "import": passes(f"{command} import.test.mjs"),
        "require": passes(f"{command} require.test.js"),
    }
    return Host(f"Jest 30.5.2, {environment}", packages, JEST_FILES, cells)


def vitest(environment):
    cells = {"import": passes(f"npx vitest run --environment={environment}")}
    packages = "vitest@5.1.1 vite@8.3.8 jsdom@27.2.0"
    files = {**PROGRAMS, "import.test.js": VITEST_TEST}
    return Host(f"Vitest 5.1.1, {environment}", packages, files, cells)


def typescript(module, resolution, names):
    """A cell passes if tsc takes the uses of the package, and refuses the misuses."""
    command = (
        "npx tsc --noEmit --strict --target esnext --lib esnext,dom "
        f"--module {module} --moduleResolution {resolution}"
    )
    files = {"import.mts": TYPED, "require.cts": TYPED_REQUIRE}
    cells = {name.partition(".")[0]: passes(f"{command} {name}") for name in names}
    return Host(f"TypeScript 5.9.3, {resolution}", "typescript@5.9.3", files, cells)


ELSEWHERE = [
    *(Host(f"Node {one}", f"node@{one}", NODE_FILES, runs("npx node")) for one in NODES),
    Host("Deno 2.9.6", "deno@2.9.6", NODE_FILES, runs(DENO)),
    Host("Bun 1.4.5", "bun@1.4.5", NODE_FILES, runs("npx bun run")),
    Host(
        "esbuild 0.28.2 for Node",
        "esbuild@0.28.2",
        {
            "told.js": TOLD_JS,
            "answer.js": ANSWER_JS,
            "main.js": 'import { answer } from "./answer.js";\n' + SAID,
            "version.js": 'import { version } from "tensorpad";\nconsole.log(version);\n',
        },
        {
            "import": functools.partial(esbuild_for_node, "esm", "mjs"),
            "require": functools.partial(esbuild_for_node, "cjs", "cjs"),
        },
    ),
    *(
        Host(
            f"Next.js 16.4.6, {name}",
            NEXT_PACKAGES,
            NEXT,
            {"import": functools.partial(next_route, name)},
        )
        for name in ("server", "edge")
    ),
    Host(
        "workerd 1.20261117.1", "workerd@1.20261117.1 esbuild@0.28.2", WORKERD, {"import": workerd}
    ),
    *map(jest, ("node", "jsdom")),
    *map(vitest, ("node", "jsdom")),
    typescript("node16", "node16", ("import.mts", "require.cts")),
    typescript("nodenext", "nodenext", ("import.mts", "require.cts")),
    typescript("esnext", "bundler", ("import.mts",)),
]
