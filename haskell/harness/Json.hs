-- | The lines of the protocol as JSON: GHC ships no library for it.
module Json (Json (..), encode) where

import Data.ByteString.Builder (Builder, charUtf8, char7, intDec, string7, word16HexFixed)
import Data.List (intersperse)

data Json = Integer Int | Text String | Boolean Bool | List [Json] | Object [(String, Json)]

encode :: Json -> Builder
encode (Integer value) = intDec value
encode (Text text) = quoted text
encode (Boolean value) = string7 (if value then "true" else "false")
encode (List values) = enclosed '[' (map encode values) ']'
encode (Object pairs) = enclosed '{' [quoted key <> char7 ':' <> encode value | (key, value) <- pairs] '}'

enclosed :: Char -> [Builder] -> Char -> Builder
enclosed open parts close = char7 open <> mconcat (intersperse (char7 ',') parts) <> char7 close

quoted :: String -> Builder
quoted text = char7 '"' <> foldMap escaped text <> char7 '"'

escaped :: Char -> Builder
escaped char
  | char `elem` "\"\\" = char7 '\\' <> char7 char
  | char < ' ' = string7 "\\u" <> word16HexFixed (fromIntegral (fromEnum char))
  | otherwise = charUtf8 char
