export { VERSION_KEY } from "./envelope.js";
