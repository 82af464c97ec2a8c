/** What runtimes do with the Pads of an ONNX model: `tensorpad check` and `tensorpad lower` as the
 * command has them, compiled to check.wasm. Nothing leaves the machine.
 * SPDX-License-Identifier: MIT */

const NAME = "model.onnx";
const REPAIRED = "repaired.onnx";
const [OK, BADF, EXIST, NOENT, NOSYS] = [0, 8, 20, 44, 52];
const [STREAM, FOLDER, FILE] = [2, 3, 4];
const [CREATE, EXCLUSIVE] = [1, 4];

class Ended extends Error {
    constructor(status) {
        super(`ended with status ${status}`);
        this.status = status;
    }
}

/** A file that grows as it is written. What is only read has `size` and `read` alone. */
class File {
    constructor(bytes = new Uint8Array(0)) {
        this.bytes = bytes;
        this.size = bytes.length;
    }
    resize(size) {
        if (size > this.bytes.length) {
            const grown = new Uint8Array(Math.max(size, 2 * this.bytes.length));
            grown.set(this.bytes.subarray(0, this.size));
            this.bytes = grown;
        }
        this.size = size;
    }
    write(at, bytes) {
        if (at + bytes.length > this.size) this.resize(at + bytes.length);
        this.bytes.set(bytes, at);
    }
    read(from, to) {
        return this.bytes.subarray(from, to);
    }
    contents() {
        return this.bytes.slice(0, this.size);
    }
}

/** The part of WASI that check.wasm uses, with files in memory and no other input.
 * https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md */
class Host {
    constructor(words, files) {
        this.words = words.map((word) => new TextEncoder().encode(`${word}\0`));
        this.files = files; // name -> File
        this.open = [0, 1, 2, 3].map((fd) => ({ file: new File(), at: 0, folder: fd === 3 }));
        this.start = 4; // of the files; before them standard streams and the folder
    }
    view() {
        return new DataView(this.memory.buffer);
    }
    text(at, length) {
        return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length));
    }
    /** The name of a file: a path without "./" before it. */
    name(at, length) {
        return this.text(at, length).replace(/^(\.\/+)+/, "");
    }
    pieces(at, count) {
        const view = this.view();
        return Array.from({ length: count }, (_, i) => {
            const place = view.getUint32(at + 8 * i, true);
            return new Uint8Array(this.memory.buffer, place, view.getUint32(at + 8 * i + 4, true));
        });
    }
    status(at, kind, size, number) {
        const view = this.view();
        for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
        view.setBigUint64(at + 8, BigInt(number), true);
        view.setUint8(at + 16, kind);
        view.setBigUint64(at + 32, BigInt(size), true);
        return OK;
    }
    list(words, pointers, bytes) {
        for (const word of words) {
            this.view().setUint32(pointers, bytes, true);
            new Uint8Array(this.memory.buffer).set(word, bytes);
            pointers += 4;
            bytes += word.length;
        }
        return OK;
    }
    functions() {
        const number = (at, value) => (this.view().setUint32(at, value, true), OK);
        const large = (at, value) => (this.view().setBigUint64(at, BigInt(value), true), OK);
        const known = {
            args_sizes_get: (count, bytes) =>
                number(count, this.words.length) ||
                number(
                    bytes,
                    this.words.reduce((sum, word) => sum + word.length, 0),
                ),
            args_get: (pointers, bytes) => this.list(this.words, pointers, bytes),
            clock_time_get: (clock, precision, at) =>
                large(at, BigInt(Math.round(Date.now())) * 1000000n),
            // For the names of temporary files. Node 18 has no global crypto.
            random_get: (at, count) => {
                const bytes = new Uint8Array(this.memory.buffer, at, count);
                bytes.forEach((_, i) => (bytes[i] = Math.random() * 256));
                return OK;
            },
            proc_exit: (status) => {
                throw new Ended(status);
            },
            fd_prestat_get: (fd, at) => (fd === 3 ? number(at, 0) || number(at + 4, 1) : BADF),
            fd_prestat_dir_name: (fd, at) => {
                this.view().setUint8(at, ".".charCodeAt(0));
                return OK;
            },
            fd_fdstat_get: (fd, at) => {
                if (!this.open[fd]) return BADF;
                const view = this.view();
                const kind = fd < 3 ? STREAM : this.open[fd].folder ? FOLDER : FILE;
                view.setBigUint64(at, BigInt(kind), true);
                for (const rights of [8, 16]) view.setBigInt64(at + rights, -1n, true);
                return OK;
            },
            fd_filestat_get: (fd, at) => {
                const one = this.open[fd];
                if (!one) return BADF;
                const kind = fd < 3 ? STREAM : one.folder ? FOLDER : FILE;
                return this.status(at, kind, one.file.size, fd);
            },
            fd_filestat_set_size: (fd, size) => {
                this.open[fd].file.resize(Number(size));
                return OK;
            },
            fd_read: (fd, list, count, at) => {
                const one = this.open[fd];
                let sum = 0;
                for (const piece of this.pieces(list, count)) {
                    const end = Math.min(one.at + piece.length, one.file.size);
                    if (end <= one.at) break;
                    piece.set(one.file.read(one.at, end));
                    sum += end - one.at;
                    one.at = end;
                }
                return number(at, sum);
            },
            fd_write: (fd, list, count, at) => {
                const one = this.open[fd];
                let sum = 0;
                for (const piece of this.pieces(list, count)) {
                    one.file.write(one.at, piece);
                    one.at += piece.length;
                    sum += piece.length;
                }
                return number(at, sum);
            },
            fd_seek: (fd, by, from, at) => {
                const one = this.open[fd];
                if (fd < 3) return NOSYS;
                one.at = Number(by) + [0, one.at, one.file.size][from];
                return large(at, one.at);
            },
            fd_tell: (fd, at) => (fd < 3 ? NOSYS : large(at, this.open[fd].at)),
            fd_close: (fd) => {
                if (!this.open[fd]) return BADF;
                this.open[fd] = undefined;
                return OK;
            },
            path_open: (folder, follow, path, length, how, rights, inherited, flags, at) => {
                const name = this.name(path, length);
                const there = this.files.get(name);
                if (there ? how & EXCLUSIVE : !(how & CREATE)) return there ? EXIST : NOENT;
                if (!there) this.files.set(name, new File());
                this.open.push({ file: this.files.get(name), at: 0, folder: false });
                return number(at, this.open.length - 1);
            },
            path_filestat_get: (folder, flags, path, length, at) => {
                const name = this.name(path, length);
                if (/^\.?\/?\.?$/.test(name)) return this.status(at, FOLDER, 0, 3);
                const number = [...this.files.keys()].indexOf(name);
                if (number < 0) return NOENT;
                return this.status(at, FILE, this.files.get(name).size, this.start + number);
            },
            path_rename: (folder, from, length, into, to, toLength) => {
                const name = this.name(from, length);
                this.files.set(this.name(to, toLength), this.files.get(name));
                this.files.delete(name);
                return OK;
            },
            path_unlink_file: (folder, path, length) =>
                this.files.delete(this.name(path, length)) ? OK : NOENT,
        };
        const refused = { get: (target, name) => target[name] ?? (() => NOSYS) };
        return new Proxy(known, refused);
    }
}

let compiled;

/** The module, compiled at the first call: from the file beside this one, or what `wasm` gives. */
async function moduleOf(wasm) {
    if (wasm instanceof WebAssembly.Module) return wasm;
    if (wasm) return WebAssembly.compile(wasm);
    const url = new URL("./check.wasm", import.meta.url);
    if (url.protocol !== "file:")
        return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
    const { readFile } = await import(
        /* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises"
    );
    return WebAssembly.compile(await readFile(url));
}

async function run(words, files, wasm) {
    const module = await (wasm ? moduleOf(wasm) : (compiled ??= moduleOf()));
    const host = new Host(["tensorpad", ...words], files);
    const known = host.functions();
    const imports = {};
    for (const { name } of WebAssembly.Module.imports(module)) imports[name] = known[name];
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
    host.memory = instance.exports.memory;
    let status = 0;
    try {
        instance.exports._start();
    } catch (error) {
        if (!(error instanceof Ended)) throw error;
        status = error.status;
    }
    const [out, said] = [1, 2].map((fd) => new TextDecoder().decode(host.open[fd].file.contents()));
    return { status, out, said };
}

function bytesOf(model) {
    if (model instanceof ArrayBuffer) return new Uint8Array(model);
    if (ArrayBuffer.isView(model))
        return new Uint8Array(model.buffer, model.byteOffset, model.byteLength);
    throw new TypeError("model: the bytes of an .onnx file, as an ArrayBuffer or a typed array");
}

function wordsOf({ targets, shapes = {}, dims = {}, fold, partial }) {
    const words = [...(fold ? ["--fold"] : []), ...(partial ? ["--partial"] : [])];
    for (const target of targets === undefined ? [] : [targets].flat())
        words.push("--target", target);
    for (const [name, shape] of Object.entries(shapes))
        words.push("--input-shape", `${name}=${[...shape].join(",")}`);
    for (const [name, extent] of Object.entries(dims)) words.push("--dim", `${name}=${extent}`);
    return words;
}

/** The error of the command, whose `code` is that of its JSON: "E_MODEL", "USAGE" ... */
function refusal(said) {
    const told = said.trim().split("\n").pop();
    let error;
    try {
        error = JSON.parse(told).error;
    } catch {
        return new Error(told || "check.wasm ended without a word");
    }
    return Object.assign(new Error(error.text), { code: error.code });
}

/** The files of a call. options.beside: those that the model names as external data, {size, read(from, to)}. */
function filesOf(model, { beside = {} }) {
    return new Map([[NAME, new File(bytesOf(model))], ...Object.entries(beside)]);
}

/** What `tensorpad explain` prints of a rule, such as "TP104". */
export async function explain(code, options = {}) {
    const { status, out, said } = await run(["explain", code], new Map(), options.wasm);
    if (status !== 0) throw refusal(said);
    return out;
}

/** What each target does with each Pad of an ONNX model: the object that `tensorpad check --json`
 * prints (docs/check.schema.json). */
export async function check(model, options = {}) {
    const files = filesOf(model, options);
    const { out, said } = await run(
        ["check", "--json", ...wordsOf(options), NAME],
        files,
        options.wasm,
    );
    if (!out) throw refusal(said);
    return JSON.parse(out);
}

/** The model with its Pads rewritten, so that the targets run them right: { model, report }, where
 * the report is the object that `tensorpad lower --json` prints. */
export async function lower(model, options = {}) {
    const files = filesOf(model, options);
    const { status, out, said } = await run(
        ["lower", "--json", ...wordsOf(options), NAME, REPAIRED],
        files,
        options.wasm,
    );
    if (status !== 0) throw refusal(said);
    return { model: files.get(REPAIRED).contents(), report: JSON.parse(out) };
}
