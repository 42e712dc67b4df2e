export { createExampleServer } from "./example-server.js";
