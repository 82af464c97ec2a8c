/** Sends what page and worker answered to the program that opened the page. The worker gets its message
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
