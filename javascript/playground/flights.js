/** Copies that travel from their source to their place. */
import { element } from "./grid.js";

const MOST = 90;
/** In milliseconds: when the first copy leaves and how long it travels, then the same for the others. */
const FIRST = { delay: 150, duration: 900 };
const OTHERS = { delay: 1000, duration: 480, apart: 28 };
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Lets the cells beyond the input come from their sources; `drawn` is what drawResult returned. One comes
 * first, and the page says which. Readers who want no motion see the sentence alone. */
export function flyCopies(drawn) {
    const place = document.getElementById("flights");
    place.replaceChildren();
    if (!drawn?.in) return;
    const copies = drawn.cells
        .map((cell, at) => ({ ...cell, at }))
        .filter((cell) => cell.source >= 0 && !cell.inside)
        .slice(0, MOST);
    if (copies.length === 0) return;
    drawn.tell(drawn.labels[copies[0].at]);
    if (STILL.matches) return;
    const base = place.getBoundingClientRect();
    copies.forEach(({ source, at }, number) => {
        const timing =
            number === 0 ? FIRST : { ...OTHERS, delay: OTHERS.delay + number * OTHERS.apart };
        fly(place, base, drawn.in[source], drawn.out[at], timing, number === 0);
    });
}

function fly(place, base, from, to, { delay, duration }, isFirst) {
    const [start, end] = [from, to].map((cell) => cell.getBoundingClientRect());
    const copy = element("span", {
        textContent: to.textContent,
        className: `flight ${to.className.split(" ")[0]}${isFirst ? " first" : ""}`,
    });
    Object.assign(copy.style, {
        left: `${start.x - base.x}px`,
        top: `${start.y - base.y}px`,
        width: `${end.width}px`,
        height: `${end.height}px`,
        fontSize: getComputedStyle(to).fontSize,
    });
    const [x, y] = [end.x - start.x, end.y - start.y];
    const rise = isFirst ? -24 : -10;
    to.classList.add("awaited");
    place.append(copy);
    const moves = copy.animate(
        [
            { transform: "translate(0, 0)", opacity: 0 },
            { transform: "translate(0, 0)", opacity: 1, offset: 0.04 },
            {
                transform: `translate(${x / 2}px, ${y / 2 + rise}px) scale(${isFirst ? 1.25 : 1.1})`,
                opacity: 1,
            },
            { transform: `translate(${x}px, ${y}px)`, opacity: 1 },
        ],
        { delay, duration, easing: "ease-in-out", fill: "backwards" },
    );
    const land = () => {
        to.classList.remove("awaited");
        copy.remove();
    };
    moves.finished.then(land, land);
}
