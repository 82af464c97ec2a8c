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
TYPED = HERE.parent / "tests/typed_uses.ts"
NODES = ("18.20.8", "20.20.2", "22.23.3", "24.21.0", "26.10.0")
BUILDER = "24.21.0"  # the Node in which all other tools run
SECONDS = 300  # for a command

TOLD = "3,2,1,2,3,2,1 E_NEGATIVE wasm"
ANSWER = f"{TOLD} same class"


class Failed(Exception):
    """A program failed; its text is what it said last."""


@dataclasses.dataclass(eq=False)
class Project:
    """A folder with a fresh project. environment: that of its programs."""

    folder: pathlib.Path
    environment: dict

    def run(self, *command):
        """What a program printed last."""
        with (self.folder / "log.txt").open("ab") as log:
            try:
                done = subprocess.run(
                    command,
                    cwd=self.folder,
                    env=self.environment,
                    timeout=SECONDS,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            except subprocess.TimeoutExpired:
                raise Failed(f"{command[0]}: more than {SECONDS} s") from None
            log.write(f"$ {' '.join(map(str, command))}\n".encode() + done.stdout)
        lines = done.stdout.decode(errors="replace").strip().splitlines() or [""]
        if done.returncode != 0:
            wrong = [line for line in lines if "rror" in line]
            raise Failed((wrong or lines)[0])
        return lines[-1]

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@dataclasses.dataclass
class Host:
    """A row. wanted: what each cell has to answer."""

    name: str
    packages: tuple
    make: object  # a function of the Project that writes its files
    cells: dict  # {name of the column: function of the Project}
    wanted: str = ANSWER


# The program: what each place runs, as modules.
PROGRAMS = {
    "told.js": """import { kernels, pad, PadError } from "tensorpad";

/** What the package answers, as one line. */
export function told() {
    const { data } = pad(new Float32Array([1, 2, 3]), [3], { padWidth: 2, mode: "reflect" });
    let refused = "nothing was refused";
    try {
        pad(new Int8Array(2), [2], { padWidth: -2 });
    } catch (error) {
        refused = error instanceof PadError ? error.status : String(error);
    }
    return `${data.join()} ${refused} ${kernels}`;
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
window.tellAll = (answer, worker) => {
    const send = (where, said) =>
        fetch(new URLSearchParams(location.search).get("report"), {
            method: "POST",
            mode: "no-cors",
            body: JSON.stringify([where, said]),
        });
    worker.onmessage = ({ data }) => send("worker", data);
    worker.onerror = (event) => send("worker", `error: ${event.message}`);
    worker.postMessage("go");
    send("page", answer());
};
addEventListener("error", (event) => {
    fetch(new URLSearchParams(location.search).get("report"), {
        method: "POST",
        mode: "no-cors",
        body: JSON.stringify(["page", `error: ${event.message ?? event}`]),
    });
});
""",
}


# ---- Programs in files -------------------------------------------------------------------------------------


def program(name):
    return PROGRAMS[name]


def as_require(text):
    """A module as CommonJS."""
    lines = []
    for line in text.splitlines():
        if line.startswith("import "):
            names, source = line.removeprefix("import ").removesuffix(";").split(" from ")
            line = f"const {names} = require({source});"
        lines.append(line.removeprefix("export "))
    return "\n".join(lines) + "\n"


def modules(project, folder="."):
    for name in ("told.js", "answer.js", "worker.js", "main.js", "report.js"):
        project.write(f"{folder}/{name}", program(name))


def page(script, report="report.js"):
    return f'<!doctype html>\n<meta charset="utf-8">\n<script src="{report}"></script>\n{script}\n'


def told_require():
    return as_require(program("told.js"))


# ---- In browsers -------------------------------------------------------------------------------------------

PAGE_SECONDS = 60  # for a page to report
COMMANDS = {
    "Chromium": [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--user-data-dir={profile}",
    ],
    "Firefox": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
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
    return shutil.which(COMMANDS[browser][0]) is None


def version(browser):
    said = subprocess.run(
        [COMMANDS[browser][0], "--version"], capture_output=True, text=True
    ).stdout
    return next((word for word in said.split() if word[0].isdigit()), "")


def opened(browser, page, reports_to, reports):
    """What page and worker said: {"page": text, "worker": text}. page: its address."""
    said = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [word.replace("{profile}", profile) for word in COMMANDS[browser]]
        with started([*command, f"{page}?report={reports_to}/report"], profile):
            while len(said) < 2:
                try:
                    where, text = reports.get(timeout=PAGE_SECONDS)
                except queue.Empty:
                    break
                said.setdefault(where, text)
    return {where: said.get(where, "no answer") for where in ("page", "worker")}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


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
    port = free_port()
    with (project.folder / "log.txt").open("ab") as log:
        words = [word.replace("{port}", str(port)) for word in command]
        with started(words, project.folder, project.environment, log) as process:
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
                project.run(*build)
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


def classic(main, is_module):
    """The program of a page whose worker is a file beside it, and the tag of its script."""
    main = main.replace('new URL("./worker.js", import.meta.url)', '"worker.js"')
    if is_module:
        return main, '<script type="module" src="main.js"></script>'
    return main.replace(', { type: "module" }', ""), '<script src="main.js"></script>'


def vite(version):
    def make(project):
        modules(project)
        project.write("public/report.js", program("report.js"))
        project.write(
            "index.html", page('<script type="module" src="/main.js"></script>', "/report.js")
        )

    packages = (f"vite@{version}",)
    name = f"Vite {version}"
    return [
        Host(f"{name}, build", packages, make, in_browsers("dist", ["npx", "vite", "build"])),
        Host(
            f"{name}, server",
            packages,
            make,
            in_browsers(
                ".",
                serve=["npx", "vite", "--port", "{port}", "--strictPort", "--host", "127.0.0.1"],
            ),
        ),
    ]


def webpack():
    def make(project):
        modules(project, "src")
        project.write("dist/report.js", program("report.js"))
        project.write("dist/index.html", page('<script src="main.js"></script>'))

    return [
        Host(
            "webpack 5.113.0",
            ("webpack@5.113.0", "webpack-cli@7.3.1"),
            make,
            in_browsers(
                "dist", ["npx", "webpack", "--mode", "production", "--entry", "./src/main.js"]
            ),
        )
    ]


def esbuild():
    def make_page(kind):
        def make(project):
            modules(project)
            main, tag = classic(program("main.js"), kind != "iife")
            project.write("main.js", main)
            project.write("dist/report.js", program("report.js"))
            project.write("dist/index.html", page(tag))

        return make

    def make_node(project):
        project.write("told.js", program("told.js"))
        project.write("answer.js", program("answer.js"))
        project.write("main.js", 'import { answer } from "./answer.js";\nconsole.log(answer());\n')
        project.write("version.js", 'import { version } from "tensorpad";\nconsole.log(version);\n')

    def bundle(kind):
        return [
            "npx",
            "esbuild",
            "main.js",
            "worker.js",
            "--bundle",
            f"--format={kind}",
            "--outdir=dist",
        ]

    def in_node(kind, ending, project):
        for name in ("main", "version"):
            project.run(
                "npx",
                "esbuild",
                f"{name}.js",
                "--bundle",
                "--platform=node",
                f"--format={kind}",
                f"--outfile=out/{name}.{ending}",
            )
        if (project.folder / f"out/version.{ending}").stat().st_size > 5000:
            raise Failed("the bundle of the version has the engine")
        return project.run("node", f"out/main.{ending}")

    packages = ("esbuild@0.28.2",)
    return [
        *(
            Host(
                f"esbuild 0.28.2, {kind}",
                packages,
                make_page(kind),
                in_browsers("dist", bundle(kind)),
            )
            for kind in ("esm", "iife")
        ),
        Host(
            "esbuild 0.28.2 for Node",
            packages,
            make_node,
            {
                "import": functools.partial(in_node, "esm", "mjs"),
                "require": functools.partial(in_node, "cjs", "cjs"),
            },
        ),
    ]


def rollup():
    config = """import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
const plugins = [nodeResolve(), commonjs()];
export default ["main", "worker"].map((name) => ({
    input: `${name}.js`, plugins, output: { file: `dist/${name}.js`, format: "%s" },
}));
"""

    def make(kind):
        def written(project):
            modules(project)
            project.write("rollup.config.mjs", config % kind)
            main, tag = classic(program("main.js"), kind != "iife")
            project.write("main.js", main)
            project.write("dist/report.js", program("report.js"))
            project.write("dist/index.html", page(tag))

        return written

    packages = (
        "rollup@4.68.8",
        "@rollup/plugin-node-resolve@16.0.3",
        "@rollup/plugin-commonjs@29.0.0",
    )
    return [
        Host(
            f"Rollup 4.68.8, {kind}",
            packages,
            make(kind),
            in_browsers("dist", ["npx", "rollup", "-c"]),
        )
        for kind in ("es", "iife")
    ]


def parcel():
    def make(project):
        modules(project)
        project.write("report.js", program("report.js"))
        project.write("index.html", page('<script type="module" src="main.js"></script>'))

    return [
        Host(
            "Parcel 2.16.4",
            ("parcel@2.16.4",),
            make,
            in_browsers("dist", ["npx", "parcel", "build", "index.html", "--no-cache"]),
        )
    ]


def next_js():
    def make(project):
        modules(project, "app")
        project.write("public/report.js", program("report.js"))
        project.write("next.config.mjs", "export default {};\n")
        project.write(
            "app/layout.js",
            """export default function Layout({ children }) {
    return <html lang="en"><head><script src="/report.js" /></head><body>{children}</body></html>;
}
""",
        )
        project.write(
            "app/page.js",
            """"use client";
import { useEffect } from "react";

export default function Page() {
    useEffect(() => { import("./main.js"); }, []);
    return <p>page</p>;
}
""",
        )
        for name, runtime in (("server", "nodejs"), ("edge", "edge")):
            project.write(
                f"app/{name}/route.js",
                f"""import {{ answer }} from "../answer.js";

export const runtime = "{runtime}";
export const dynamic = "force-dynamic";

export function GET() {{
    return new Response(answer());
}}
""",
            )

    start = ["npx", "next", "start", "--port", "{port}", "--hostname", "127.0.0.1"]
    build = ["npx", "next", "build"]

    def route(name, project):
        project.run(*build)
        with server(project, start) as address:
            try:
                return urllib.request.urlopen(f"{address}{name}", timeout=60).read().decode()
            except urllib.error.HTTPError as error:
                raise Failed(f"status {error.code}") from None

    packages = ("next@16.4.6", "react@19.3.1", "react-dom@19.3.1")
    return [
        Host("Next.js 16.4.6, client", packages, make, in_browsers(".", build, start)),
        *(
            Host(
                f"Next.js 16.4.6, {name}",
                packages,
                make,
                {"import": functools.partial(route, name)},
            )
            for name in ("server", "edge")
        ),
    ]


def without_bundler():
    """An import map, and a plain script, with the files of the package as npm installs them."""

    def make_map(project):
        modules(project)
        mapped = json.dumps({"imports": {"tensorpad": "/node_modules/tensorpad/index.js"}})
        project.write("answer.js", 'export { told as answer } from "./told.js";\n')
        # Workers have no import map.
        for name in ("worker.js", "told_here.js"):
            text = program(name) if name == "worker.js" else program("told.js")
            project.write(
                f"here/{name}",
                text.replace('"tensorpad"', '"/node_modules/tensorpad/index.js"').replace(
                    'import { answer } from "./answer.js"',
                    'import { told as answer } from "./told_here.js"',
                ),
            )
        project.write("main.js", program("main.js").replace("./worker.js", "./here/worker.js"))
        project.write(
            "index.html",
            page(
                f'<script type="importmap">{mapped}</script>\n'
                '<script type="module" src="main.js"></script>'
            ),
        )

    def make_script(project):
        told = program("told.js").split("\n", 1)[1].replace("export ", "")
        used = f"const {{ kernels, pad, PadError }} = tensorpad;\n{told}const answer = told;\n"
        common = "/node_modules/tensorpad/common/tensorpad.js"
        project.write("report.js", program("report.js"))
        project.write(
            "worker.js",
            f'importScripts("{common}");\n{used}' + program("worker.js").split("\n", 1)[1],
        )
        project.write("main.js", f'{used}window.tellAll(answer, new Worker("worker.js"));\n')
        project.write(
            "index.html", page(f'<script src="{common}"></script>\n<script src="main.js"></script>')
        )

    return [
        Host("import map", (), make_map, in_browsers("."), TOLD),
        Host("plain `<script>`", (), make_script, in_browsers("."), TOLD),
    ]


# ---- Without a browser -------------------------------------------------------------------------------------


def write_node_programs(project):
    project.write("told.mjs", program("told.js"))
    project.write(
        "import.mjs",
        program("answer.js").replace("./told.js", "./told.mjs") + "console.log(answer());\n",
    )
    project.write("told.cjs", told_require() + "module.exports = { told };\n")
    project.write(
        "require.cjs",
        as_require(program("answer.js")).replace("./told.js", "./told.cjs")
        + "console.log(answer());\n",
    )


def runs(*command):
    return {
        "import": lambda project: project.run(*command, "import.mjs"),
        "require": lambda project: project.run(*command, "require.cjs"),
    }


def runtimes():
    nodes = [
        Host(f"Node {version}", (f"node@{version}",), write_node_programs, runs("npx", "node"))
        for version in NODES
    ]
    return [
        *nodes,
        Host(
            "Deno 2.9.6",
            ("deno@2.9.6",),
            write_node_programs,
            runs(
                "npx",
                "deno",
                "run",
                "--quiet",
                "--no-lock",
                "--node-modules-dir=manual",
                "--allow-read",
            ),
        ),
        Host("Bun 1.4.5", ("bun@1.4.5",), write_node_programs, runs("npx", "bun", "run")),
    ]


def workerd():
    """One file that esbuild makes, with the modules of WebAssembly beside it, as wrangler does."""
    served = """import { answer } from "./answer.js";
export default { fetch() { return new Response(answer()); } };
"""

    def make(project):
        modules(project)
        project.write("main.js", served)

    def config(project, listed):
        project.write(
            "config.capnp",
            f"""using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "*:8080", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [{", ".join(listed)}],
  compatibilityDate = "2026-01-01",
);
""",
        )

    def answered(project):
        serve = [
            "npx",
            "workerd",
            "serve",
            "config.capnp",
            "--socket-addr",
            "http=127.0.0.1:{port}",
        ]
        with server(project, serve) as address:
            return urllib.request.urlopen(address, timeout=60).read().decode()

    def bundled(project):
        project.run(
            "npx",
            "esbuild",
            "main.js",
            "--bundle",
            "--format=esm",
            "--outfile=dist/main.js",
            "--conditions=workerd,worker",
            "--loader:.wasm=copy",
            "--asset-names=[name]",
        )
        listed = ['(name = "main.js", esModule = embed "dist/main.js")']
        listed += [
            f'(name = "{name}.wasm", wasm = embed "dist/{name}.wasm")'
            for name in ("engine", "simd")
        ]
        config(project, listed)
        return answered(project)

    return [
        Host(
            "workerd 1.20261117.1",
            ("workerd@1.20261117.1", "esbuild@0.28.2"),
            make,
            {"import": bundled},
        )
    ]


def test_runners():
    test = (
        """test("pads", () => {
    expect(answer()).toBe("%s");
});
"""
        % ANSWER
    )

    def make_jest(project):
        # Files that end in .js are CommonJS here.
        project.write("package.json", '{ "name": "user", "version": "1.0.0" }')
        project.write("told.js", told_require() + "module.exports = { told };\n")
        project.write("require.test.js", as_require(program("answer.js")) + test)
        project.write("told.mjs", program("told.js"))
        project.write(
            "import.test.mjs", program("answer.js").replace("./told.js", "./told.mjs") + test
        )
        project.write(
            "jest.config.json",
            '{ "testMatch": ["**/*.test.js", "**/*.test.mjs"], "transform": {} }',
        )

    def jest(environment, name, project):
        project.run(
            "node",
            "--experimental-vm-modules",
            "node_modules/jest/bin/jest.js",
            f"--env={environment}",
            "--config=jest.config.json",
            name,
        )
        return ANSWER

    def jest_host(environment):
        return Host(
            f"Jest 30.5.2, {environment}",
            ("jest@30.5.2", "jest-environment-jsdom@30.5.2"),
            make_jest,
            {
                "import": functools.partial(jest, environment, "import.test.mjs"),
                "require": functools.partial(jest, environment, "require.test.js"),
            },
        )

    def make_vitest(project):
        modules(project)
        project.write(
            "import.test.js",
            'import { expect, test } from "vitest";\n'
            'import { answer } from "./answer.js";\n' + test,
        )

    def vitest(environment, project):
        project.run("npx", "vitest", "run", f"--environment={environment}")
        return ANSWER

    return [
        *map(jest_host, ("node", "jsdom")),
        *(
            Host(
                f"Vitest 5.1.1, {environment}",
                ("vitest@5.1.1", "vite@8.3.8", "jsdom@27.2.0"),
                make_vitest,
                {"import": functools.partial(vitest, environment)},
            )
            for environment in ("node", "jsdom")
        ),
    ]


def typescript():
    """A cell passes if tsc takes the uses of the package, and refuses the misuses."""

    def make(project):
        shutil.copy(TYPED, project.folder / "import.mts")
        shutil.copy(TYPED, project.folder / "require.cts")

    def check(module, resolution, name, project):
        project.run(
            "npx",
            "tsc",
            "--noEmit",
            "--strict",
            "--target",
            "esnext",
            "--lib",
            "esnext,dom",
            "--module",
            module,
            "--moduleResolution",
            resolution,
            name,
        )
        return ANSWER

    def host(module, resolution, both=True):
        cells = {"import": functools.partial(check, module, resolution, "import.mts")}
        if both:
            cells["require"] = functools.partial(check, module, resolution, "require.cts")
        return Host(f"TypeScript 5.9.3, {resolution}", ("typescript@5.9.3",), make, cells)

    return [
        host("node16", "node16"),
        host("nodenext", "nodenext"),
        host("esnext", "bundler", both=False),
    ]


IN_BROWSERS = [
    *(host for version in ("5.4.21", "8.3.8") for host in vite(version)),
    *webpack(),
    *esbuild()[:2],
    *rollup(),
    *parcel(),
    *next_js()[:1],
    *without_bundler(),
]
ELSEWHERE = [
    *runtimes(),
    *esbuild()[2:],
    *next_js()[1:],
    *workerd(),
    *test_runners(),
    *typescript(),
]
