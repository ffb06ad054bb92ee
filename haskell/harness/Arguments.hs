-- | The key=value words of the command line.
module Arguments (Arguments, Rule (..), Value (..), number, parameters, parse, word) where

import Control.Monad (foldM)
import Data.Char (isDigit)
import Data.List (intercalate)
import Data.Map.Strict (Map)
import qualified Data.Map.Strict as Map
import Data.Maybe (mapMaybe)

-- | What the value of a key may be: an integer, or one of some words.
data Rule = AtLeast Int | OneOf [String]

data Value = Number Int | Word String
  deriving (Eq, Show)

-- | The value of every key that the program knows.
newtype Arguments = Arguments (Map String Value)

-- | The keys of the harness, with their defaults; flags are 0 or 1.
shared :: [String] -> [(String, Rule, Value)]
shared flags = [("iterations", AtLeast 1, Number 1), ("min_warm_ms", AtLeast 0, Number 0), ("nonce", AtLeast 0, Number 0)] ++ map flag ("trace" : flags)
  where
    flag key = (key, OneOf ["0", "1"], Number 0)

-- | The arguments of a program with these parameters, all of which must be given, and these flags; or what is wrong with them.
parse :: [(String, Rule)] -> [String] -> [String] -> Either String Arguments
parse rules flags given = do
  texts <- foldM (pair known) Map.empty given
  case filter (`Map.notMember` texts) (map fst rules) of
    key : _ -> Left (key ++ " is missing")
    [] -> do
      values <- Map.traverseWithKey (\key text -> value key text (known Map.! key)) texts
      pure (Arguments (Map.union values defaults))
  where
    own = shared flags
    known = Map.fromList (rules ++ [(key, rule) | (key, rule, _) <- own])
    defaults = Map.fromList [(key, preset) | (key, _, preset) <- own]

pair :: Map String Rule -> Map String String -> String -> Either String (Map String String)
pair known texts given = case break (== '=') given of
  (_, "") -> Left (show given ++ " is not key=value")
  (key, _ : text)
    | key `Map.notMember` known -> Left ("unknown key " ++ key)
    | key `Map.member` texts -> Left (key ++ " is given twice")
    | otherwise -> Right (Map.insert key text texts)

value :: String -> String -> Rule -> Either String Value
value key text (AtLeast least) = case integer text of
  Just given | given >= least -> Right (Number given)
  _ -> Left (key ++ "=" ++ text ++ " must be an integer of at least " ++ show least)
value key text (OneOf known)
  | text `elem` known = Right (maybe (Word text) Number (integer text))
  | otherwise = Left (key ++ "=" ++ text ++ " must be one of " ++ intercalate ", " known)

-- | Only digits, where `read` takes more, and none that an Int can't hold, where `read` would wrap round.
integer :: String -> Maybe Int
integer text
  | null text || not (all isDigit text) || wide > toInteger (maxBound :: Int) = Nothing
  | otherwise = Just (fromInteger wide)
  where
    wide = read text :: Integer

-- | The value of a parameter, a flag or a key of the harness that is an integer.
number :: Arguments -> String -> Int
number (Arguments values) key = case Map.lookup key values of
  Just (Number given) -> given
  _ -> error (key ++ " is no integer of this program")

-- | The value of a parameter that is a word.
word :: Arguments -> String -> String
word (Arguments values) key = case Map.lookup key values of
  Just (Word given) -> given
  _ -> error (key ++ " is no word of this program")

-- | The values of these keys.
parameters :: Arguments -> [String] -> [(String, Value)]
parameters (Arguments values) = mapMaybe (\key -> (,) key <$> Map.lookup key values)
