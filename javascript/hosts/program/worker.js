import { answer } from "./answer.js";

onmessage = () => {
    let said;
    try {
        said = answer();
    } catch (error) {
        said = String(error);
    }
    postMessage(said);
};
