/** A provider that can be called. */
export interface Provider {
  /** What the argument `provider` names it by, such as "openai". */
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  /** The model that is used unless a call names another. */
  readonly model: string;
  /** The model for images; `undefined` where it makes none. */
  readonly imageModel: string | undefined;
  /** Whether it answers text questions; one that only makes images does not. */
  readonly text: boolean;
}

/** What is known of a provider without calling it. Never holds a key. */
export interface ProviderStatus {
  readonly id: string;
  readonly label: string;
  readonly configured: boolean;
  /** Variables that are still to be set; empty when it is configured. */
  readonly missing: readonly string[];
  /** The model that would be used; `undefined` where it has to be named and is not. */
  readonly model: string | undefined;
  readonly imageModel: string | undefined;
}

/** The providers of one environment. */
export interface ProviderSet {
  /** Every provider, in the order in which the first configured one becomes the default. */
  readonly all: readonly ProviderStatus[];
  readonly configured: readonly Provider[];
  /** Answers when a call names none; `undefined` when none that answers text is configured. */
  readonly default: Provider | undefined;
  /** Gives a configured provider. Throws `ToolFailure` that names the variables to set. */
  find(id: string): Provider;
}
