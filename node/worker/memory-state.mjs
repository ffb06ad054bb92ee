// Parks n threads that each hold 1 KiB of local bytes eight calls deep.
import { parking } from "./parking.mjs";

await parking(import.meta, "memory-state", "parkedDeep");
