// What running again means for side effects: node dist/demo.js. The exit code is 0 only if every count is as it should be.
import { formatTrial, tryWay, WAYS } from "./compare.js";

for (const way of WAYS) {
  const trial = await tryWay(way);
  console.log(formatTrial(trial));
  if (!trial.right) process.exitCode = 1;
}
