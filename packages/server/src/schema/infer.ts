import type { StandardSchema } from "./standard.js";

export type { StandardSchema } from "./standard.js";

/** A plain JSON Schema of dialect 2020-12 (the default), 2019-09 or draft-07. Written `as const`, or in place, its type is inferred. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Whatever can describe the arguments or the result of a tool. */
export type AnySchema = StandardSchema | JsonSchema;

/** What a value has to be before the schema's validation: what a caller sends, and what a handler with this output schema returns. */
export type InferInput<S> = S extends { readonly "~standard": { readonly types?: infer Types } }
  ? Side<Types, "input">
  : IsOpen<S> extends true
    ? unknown
    : InferJson<S>;

/** What a value is after the schema's validation: what a handler with this input schema receives. */
export type InferOutput<S> = S extends { readonly "~standard": { readonly types?: infer Types } }
  ? Side<Types, "output">
  : IsOpen<S> extends true
    ? Record<string, unknown>
    : unknown extends InferJson<S>
      ? Record<string, unknown>
      : InferJson<S>;

type Side<Types, Name extends "input" | "output"> =
  NonNullable<Types> extends { readonly [Key in Name]: infer Value } ? Value : unknown;

/** True for a schema whose keywords are not known to the compiler, such as a variable declared as `JsonSchema`. */
type IsOpen<S> = string extends keyof S ? true : false;

/** The type of the values that a literal JSON Schema accepts, as far as its common keywords tell; `unknown` where they do not. */
type InferJson<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: ReadonlyArray<infer Value> }
    ? Value
    : S extends { readonly type: infer Type }
      ? InferTypes<S, Type extends ReadonlyArray<infer Each> ? Each : Type>
      : S extends { readonly anyOf: ReadonlyArray<infer Each> }
        ? InferEach<Each>
        : S extends { readonly oneOf: ReadonlyArray<infer Each> }
          ? InferEach<Each>
          : S extends { readonly properties: object }
            ? InferObject<S>
            : unknown;

type InferEach<Each> = Each extends unknown ? InferJson<Each> : never;

type InferTypes<S, Type> = Type extends "object"
  ? InferObject<S>
  : Type extends "array"
    ? InferArray<S>
    : Type extends keyof Scalars
      ? Scalars[Type]
      : unknown;

interface Scalars {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type InferArray<S> = S extends { readonly items: infer Items }
  ? Items extends readonly unknown[]
    ? unknown[]
    : Array<InferJson<Items>>
  : unknown[];

type InferObject<S> = S extends { readonly properties: infer Properties extends object }
  ? Flatten<
      {
        -readonly [Name in keyof Properties as Name extends RequiredNames<S> ? Name : never]: InferJson<
          Properties[Name]
        >;
      } & {
        -readonly [Name in keyof Properties as Name extends RequiredNames<S> ? never : Name]?: InferJson<
          Properties[Name]
        >;
      }
    >
  : S extends { readonly additionalProperties: infer Rest extends object }
    ? Record<string, InferJson<Rest>>
    : Record<string, unknown>;

type RequiredNames<S> = S extends { readonly required: ReadonlyArray<infer Name> } ? Name : never;

type Flatten<T> = { [Key in keyof T]: T[Key] };
