// Parks n threads that hold nothing but their number.
import { parking } from "./parking.mjs";

await parking(import.meta, "memory", "parked");
