/** Lets the process end while nothing but a timer is left. Other runtimes than Node do that by themselves. */
export function letEnd(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}
